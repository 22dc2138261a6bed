/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: the 200 ms timer for delayed ACKs and the 500 ms timer for everything else. There is no list
 * of connections: both traverse the active map, whose non-empty buckets are linked. */
#include "protocols/tcp/timers/tcp_timer.h"
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/output/tcp_output.h"
#include "protocols/tcp/timers/tcp_persist.h"

static void retransmit(struct xobj *s)
{
	struct tcp *t = s->state;

	COUNT(tcp_counts, retransmit_timeouts);
	if (t->backoff >= TCP_MAX_RETRANSMITS) {
		tcp_drop(s, XK_CLOSE_TIMED_OUT);
		return;
	}
	t->backoff++;
	t->rto = (tcp_short)tcp_rto(t);
	t->timer[TCP_RETRANSMIT] = t->rto;
	t->send_next = t->send_una;
	t->rtt_ticks = 0; /* an ACK could be for either copy (Karn) */
	t->duplicate_acks = 0;
	tcp_congestion_cut(t);
	tcp_output(s);
}

static void probe(struct xobj *s)
{
	struct tcp *t = s->state;

	if (!t->queue.bytes) { /* the peer took the last byte from a probe: a FIN may be left */
		tcp_output(s);
		return;
	}
	if (tcp_probed_in_vain(t)) {
		tcp_drop(s, XK_CLOSE_TIMED_OUT);
		return;
	}
	COUNT(tcp_counts, persist_probes);
	tcp_persist_set(t);
	t->force = 1;
	tcp_output(s);
	t->force = 0;
}

static void expire(struct xobj *s, int timer)
{
	switch (timer) {
	case TCP_RETRANSMIT:
		retransmit(s);
		break;
	case TCP_PERSIST:
		probe(s);
		break;
	case TCP_KEEP:
		tcp_drop(s, XK_CLOSE_TIMED_OUT);
		break;
	default:
		tcp_drop(s, XK_CLOSE_DONE);
		break;
	}
}

static int slow_tick(const uint64_t *key, void *value, void *arg)
{
	struct xobj *s = xDuplicate(value);
	struct tcp *t = s->state;

	TCP_BEGIN(s);
	t->age++;
	if (t->rtt_ticks)
		t->rtt_ticks++;
	for (int i = 0; i < TCP_TIMERS && t->state != TCP_CLOSED; i++)
		if (t->timer[i] && --t->timer[i] == 0)
			expire(s, i);
	TCP_END;
	xClose(s);
	return MAP_CONTINUE;
}

static int fast_tick(const uint64_t *key, void *value, void *arg)
{
	struct xobj *s = value;
	struct tcp *t = s->state;

	TCP_BEGIN(s);
	if (t->ack_delayed) {
		xDuplicate(s);
		t->ack_now = 1;
		COUNT(tcp_counts, delayed_acks_sent);
		tcp_output(s);
		xClose(s);
	}
	TCP_END;
	return MAP_CONTINUE;
}

static void slow(void *arg)
{
	struct tcp_protocol *p = arg;

	tcp_for_each(p, slow_tick, p);
	event_schedule(&p->slow, slow, p, TCP_SLOW_US);
}

static void fast(void *arg)
{
	struct tcp_protocol *p = arg;

	tcp_for_each(p, fast_tick, p);
	event_schedule(&p->fast, fast, p, TCP_FAST_US);
}

void tcp_timers_start(struct xobj *self)
{
	struct tcp_protocol *p = self->state;

	event_schedule(&p->fast, fast, p, TCP_FAST_US);
	event_schedule(&p->slow, slow, p, TCP_SLOW_US);
}
