/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: the end of a connection. Nothing is sent here. */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/fast/tcp_fast_begin.h"
#include "protocols/tcp/output/tcp_output.h"

static int result_of(enum xk_close why)
{
	switch (why) {
	case XK_CLOSE_REFUSED:
		return XK_REFUSED;
	case XK_CLOSE_TIMED_OUT:
		return XK_TIMED_OUT;
	default:
		return XK_RESET;
	}
}

static void stop_timers(struct tcp *t)
{
	for (int i = 0; i < TCP_TIMERS; i++)
		t->timer[i] = 0;
	t->rtt_ticks = 0;
}

void tcp_drop(struct xobj *s, enum xk_close why)
{
	struct tcp *t = s->state;
	struct tcp_protocol *p = s->protocol->state;
	uint32_t before = t->state, embryo = t->passive;

	if (before == TCP_CLOSED)
		return;
	if (why != XK_CLOSE_DONE)
		COUNT(tcp_counts, connections_dropped);
	t->state = TCP_CLOSED;
	stop_timers(t);
	if (XK_KEEPALIVE)
		tcp_keepalive_forget(s);
	tcp_unbind(p, t);
	tcp_lock_queue(t);
	tcp_queue_drop(&t->queue, t->queue.bytes);
	tcp_unlock_queue(t);
	tcp_lock_reassembly(t);
	tcp_early_free(t);
	tcp_unlock_reassembly(t);
	if (XK_FAST)
		tcp_fast_forget(s);
	for (; t->waiting_room; t->waiting_room--)
		sem_signal(&t->room);
	if (embryo) { /* the user has never heard of it */
		t->passive = 0;
		tcp_lock_births(p);
		p->half_open--;
		tcp_unlock_births(p);
		tcp_give_back(s);
	} else if (t->waiting_open) { /* hears it from xOpen */
		t->open_result = result_of(why);
		t->waiting_open = 0;
		sem_signal(&t->opened);
	} else if (before != TCP_TIME_WAIT) {
		tcp_tell(s, why);
	}
}

void tcp_enter_time_wait(struct xobj *s)
{
	struct tcp *t = s->state;

	t->state = TCP_TIME_WAIT;
	stop_timers(t);
	t->timer[TCP_WAIT] = TCP_TWO_MSL;
	tcp_tell(s, XK_CLOSE_DONE);
}
