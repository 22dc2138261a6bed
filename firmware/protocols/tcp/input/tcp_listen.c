/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: segments for a port that is listening. */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/output/tcp_output.h"

static int find_oldest(const uint64_t *key, void *value, void *arg)
{
	struct xobj *s = value, **oldest = arg;
	const struct tcp *t = s->state;

	if (t->passive && (!*oldest || t->age >= ((struct tcp *)(*oldest)->state)->age))
		*oldest = s;
	return MAP_CONTINUE;
}

/* A flood of SYNs costs the oldest half-open connection, not memory. */
static void evict(struct tcp_protocol *p)
{
	struct xobj *oldest = NULL;

	map_for_each(&p->active, find_oldest, &oldest);
	if (!oldest)
		return;
	COUNT(tcp_counts, half_open_evicted);
	tcp_drop(oldest, XK_CLOSE_TIMED_OUT);
}

int tcp_listen_input(struct xobj *self, struct passive_enable *l, struct xobj *lower,
		     struct tcp_segment *g)
{
	struct tcp_protocol *p = self->state;
	struct xobj *s;
	struct tcp *t;

	if (g->flags & TCP_RST)
		return XK_OK;
	if (g->flags & TCP_ACK) {
		tcp_reset(lower, g);
		return XK_ERROR;
	}
	if (!(g->flags & TCP_SYN) || (g->flags & TCP_FIN))
		return XK_ERROR;
	if (XK_MP) {
		if (!tcp_may_be_born(p)) { /* its peer comes again */
			COUNT(tcp_counts, half_open_evicted);
			return XK_ERROR;
		}
	} else if (p->half_open >= TCP_MAX_HALF_OPEN) {
		evict(p);
	}
	s = tcp_session_make(self, l->receiver, l->type, xDuplicate(lower), g->ip->source,
			     g->ports);
	if (!s) {
		COUNT(tcp_counts, no_memory);
		tcp_is_not_born(p);
		xClose(lower);
		return XK_NO_MEMORY;
	}
	xDuplicate(s); /* ours, until the user has been told */
	if (!XK_MP)
		p->half_open++;
	t = s->state;
	TCP_BEGIN(s);
	t->passive = 1;
	t->state = TCP_SYN_RECEIVED;
	t->timer[TCP_KEEP] = TCP_KEEP_OPENING;
	if (g->segment_max)
		tcp_set_peer_segment_max(s, g->segment_max);
	t->receive_initial = g->sequence;
	/* Data with the SYN is not taken: it comes again once the handshake is done. */
	t->receive_next = t->receive_advertised = g->sequence + 1;
	t->send_window = t->send_window_max = g->window;
	t->window_sequence = g->sequence;
	t->window_ack = t->send_initial;
	tcp_output(s);
	TCP_END;
	return XK_OK;
}
