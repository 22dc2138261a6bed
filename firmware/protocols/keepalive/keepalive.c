/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/keepalive/keepalive.h"

#include "protocols/tcp/tcp_private.h"
#include "xkernel/allocate.h"

struct keepalive_counts keepalive_counts;

/* A connection that is watched. It was active if a sequence number moved since the last tick, or
 * if TCP says that it has heard an ACK without news. */
struct watched {
	struct watched *next;
	struct xobj *session;
	uint32_t receive_next, send_una, window_ack;
	uint32_t idle, limit; /* slow ticks, two a second */
	uint32_t probes;
};

enum { TICKS = 1000000 / TCP_SLOW_US, MAX_SECONDS = 1000000 };
static struct watched *first;
static struct event tick_event;
static int running;

static struct watched **find(const struct xobj *session)
{
	struct watched **link = &first;

	while (*link && (*link)->session != session)
		link = &(*link)->next;
	return link;
}

static int was_active(struct watched *w, const struct tcp *t)
{
	int active = w->receive_next != t->receive_next || w->send_una != t->send_una ||
		     w->window_ack != t->window_ack || t->timer[TCP_RETRANSMIT] ||
		     t->timer[TCP_PERSIST];

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
	if (w->idle < w->limit + w->probes * KEEPALIVE_INTERVAL * TICKS)
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
	struct watched *w = first, *next;

	(void)arg;
	for (; w; w = next) {
		next = w->next;
		if (look_at(w))
			break; /* the others half a second later */
	}
	event_schedule(&tick_event, tick, NULL, TCP_SLOW_US);
}

void tcp_keepalive_forget(struct xobj *session)
{
	struct watched **link = find(session), *w = *link;

	if (!w)
		return;
	*link = w->next;
	xk_free(w);
}

int tcp_keepalive_set(struct xobj *session, uint32_t seconds)
{
	struct watched *w = *find(session);

	if (!running || ((const struct tcp *)session->state)->state == TCP_CLOSED)
		return XK_ERROR;
	if (!seconds) {
		tcp_keepalive_forget(session);
		return sizeof seconds;
	}
	if (!w) {
		w = xk_allocate_zeroed(sizeof *w);
		if (!w) {
			keepalive_counts.no_memory++;
			return XK_NO_MEMORY;
		}
		w->session = session;
		w->next = first;
		first = w;
	}
	w->limit = smaller(seconds, MAX_SECONDS) * TICKS;
	return sizeof seconds;
}

void tcp_keepalive_heard(const struct xobj *session)
{
	struct watched *w = *find(session);

	if (w)
		w->idle = w->probes = 0;
}

int keepalive_init(struct xobj *self)
{
	(void)self;
	running = 1;
	event_schedule(&tick_event, tick, NULL, TCP_SLOW_US);
	return XK_OK;
}
