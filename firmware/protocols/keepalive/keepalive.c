/* SPDX-License-Identifier: BSD-2-Clause */
/* Keep-alive: the look at every watched connection, twice a second. */
#include "protocols/keepalive/keepalive_private.h"
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/output/tcp_output.h"

static struct event tick_event;

/* Has it been heard from, or is its silence counted elsewhere? Retransmission gives up by itself.
 * Probes of a shut window do not: they are no life, only their answers are. */
static int was_active(struct watched *w, const struct tcp *t)
{
	int active = w->receive_next != t->receive_next || w->send_una != t->send_una ||
		     w->window_ack != t->window_ack || t->timer[TCP_RETRANSMIT];

	w->receive_next = t->receive_next;
	w->send_una = t->send_una;
	w->window_ack = t->window_ack;
	return active;
}

/* The byte before the next one: the peer has it, and says so (RFC 1122). */
static void probe(struct watched *w, const struct tcp *t)
{
	keepalive_counts.probes++;
	w->probes++;
	tcp_send_segment(w->session, t->send_una - 1, 0, 0, TCP_ACK,
			 t->receive_advertised - t->receive_next);
}

/* 1: the connection has been given up, and whoever was told may have changed the list. */
static int look_at(struct watched *w)
{
	struct xobj *s = w->session;
	const struct tcp *t = s->state;

	if (was_active(w, t) || (t->state != TCP_ESTABLISHED && t->state != TCP_CLOSE_WAIT)) {
		w->idle = w->probes = 0;
		return 0;
	}
	w->idle++;
	if (w->idle < w->limit + w->probes * KEEPALIVE_INTERVAL * KEEPALIVE_TICKS)
		return 0;
	if (w->probes < KEEPALIVE_PROBES) {
		probe(w, t);
		return 0;
	}
	keepalive_counts.given_up++;
	xDuplicate(s);
	tcp_drop(s, XK_CLOSE_TIMED_OUT);
	xClose(s);
	return 1;
}

static void tick(void *arg)
{
	struct watched *w = keepalive.first, *next;

	for (; w; w = next) {
		next = w->next;
		if (look_at(w))
			break; /* the others half a second later */
	}
	event_schedule(&tick_event, tick, NULL, TCP_SLOW_US);
}

int keepalive_init(struct xobj *self)
{
	keepalive.running = 1;
	event_schedule(&tick_event, tick, NULL, TCP_SLOW_US);
	return XK_OK;
}
