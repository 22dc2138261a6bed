/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: what a segment says of the data we have sent. */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/output/tcp_output.h"
#include "protocols/tcp/tcp_net2.h"
#include "protocols/tcp/timers/tcp_timer.h"

/* The third ACK in a row for the same byte: a segment is missing, those behind it arrive. */
static void fast_retransmit(struct xobj *s)
{
	struct tcp *t = s->state;
	uint32_t next = t->send_next;

	COUNT(tcp_counts, fast_retransmits);
	tcp_congestion_cut(t);
	t->timer[TCP_RETRANSMIT] = 0;
	t->rtt_ticks = 0;
	t->send_next = t->send_una;
	tcp_output(s);
	if (seq_lt(t->send_next, next))
		t->send_next = next;
	if (XK_TCP_NET2)
		tcp_recovery_begin(t);
}

static void old_ack(struct xobj *s, const struct tcp_segment *g)
{
	struct tcp *t = s->state;

	if (g->bytes || g->window != t->send_window || g->ack != t->send_una ||
	    !t->timer[TCP_RETRANSMIT] || (g->flags & TCP_FIN)) {
		t->duplicate_acks = 0;
		if (XK_KEEPALIVE)
			tcp_keepalive_heard(s);
		return;
	}
	if (XK_TCP_NET2 && t->duplicate_acks == TCP_DUPLICATE_ACKS) {
		tcp_recovery_go_on(t);
		tcp_output(s);
		return;
	}
	if (t->duplicate_acks < TCP_DUPLICATE_ACKS && ++t->duplicate_acks == TCP_DUPLICATE_ACKS)
		fast_retransmit(s);
}

/* 1: our FIN is among what has been acknowledged. */
static int new_ack(struct tcp *t, const struct tcp_segment *g, int syn)
{
	uint32_t acked = g->ack - t->send_una - (uint32_t)syn;
	int fin = t->fin_sent && acked > t->queue.bytes;

	if (XK_TCP_NET2 && t->duplicate_acks == TCP_DUPLICATE_ACKS)
		tcp_recovery_end(t);
	t->duplicate_acks = 0;
	if (t->rtt_ticks && seq_lt(t->rtt_sequence, g->ack))
		tcp_rtt_sample(t, t->rtt_ticks);
	if (PREDICT_FALSE(t->backoff > TCP_MAX_BACKOFF))
		t->backoff = TCP_MAX_BACKOFF; /* progress: the tries are counted anew */
	if (g->ack == t->send_max)
		t->timer[TCP_RETRANSMIT] = 0;
	else if (!t->timer[TCP_PERSIST])
		t->timer[TCP_RETRANSMIT] = t->rto;
	if (!syn)
		tcp_congestion_open(t);
	tcp_lock_queue(t);
	tcp_queue_drop(&t->queue, acked);
	tcp_unlock_queue(t);
	t->send_una = g->ack;
	if (seq_lt(t->send_next, t->send_una))
		t->send_next = t->send_una;
	for (; t->waiting_room; t->waiting_room--)
		sem_signal(&t->room);
	return fin;
}

/* Not from a segment older than the one the window is from; with equal numbers the last one counts
 * (RFC 9293 3.10.7.4). */
static void window_input(struct tcp *t, const struct tcp_segment *g)
{
	if (!seq_lt(t->window_sequence, g->sequence) &&
	    (t->window_sequence != g->sequence || seq_lt(g->ack, t->window_ack)))
		return;
	t->send_window = g->window;
	t->window_sequence = g->sequence;
	t->window_ack = g->ack;
	if (t->send_window_max < g->window)
		t->send_window_max = g->window;
	if (PREDICT_FALSE(!g->window)) {
		tcp_window_shut(t);
	} else if (t->timer[TCP_PERSIST]) {
		tcp_window_opens(t);
	}
}

/* Our FIN has arrived. 1: the connection is over. */
static int fin_acked(struct xobj *s)
{
	struct tcp *t = s->state;

	switch (t->state) {
	case TCP_FIN_WAIT_1:
		t->state = TCP_FIN_WAIT_2;
		if (t->user_closed)
			t->timer[TCP_WAIT] = TCP_FIN_WAIT_2_MAX;
		return 0;
	case TCP_CLOSING:
		tcp_enter_time_wait(s);
		return 0;
	case TCP_LAST_ACK:
		tcp_drop(s, XK_CLOSE_DONE);
		return 1;
	default:
		return 0;
	}
}

int tcp_ack_input(struct xobj *s, struct tcp_segment *g)
{
	struct tcp *t = s->state;
	int opening = t->state == TCP_SYN_RECEIVED, fin = 0;

	if (PREDICT_FALSE(opening)) {
		if (!seq_lt(t->send_una, g->ack) || seq_lt(t->send_max, g->ack)) {
			tcp_reset(s->down[0], g);
			return 1;
		}
		/* Whatever it says is newer than the SYN. */
		t->window_sequence = g->sequence - 1;
	}
	if (PREDICT_FALSE(seq_lt(t->send_max, g->ack))) {
		COUNT(tcp_counts, acks_of_unsent);
		t->ack_now = 1;
		return 1;
	}
	if (seq_lt(t->send_una, g->ack))
		fin = new_ack(t, g, opening);
	else
		old_ack(s, g);
	window_input(t, g);
	if (PREDICT_FALSE(opening)) {
		tcp_become_established(s);
		if (user_has_gone(s)) /* it did not keep the session: no text for it */
			return 1;
	}
	if (PREDICT_FALSE(fin))
		return fin_acked(s);
	return t->state == TCP_CLOSED;
}

#if XK_TCP_HDRPRED
void tcp_predicted_ack(struct xobj *s, const struct tcp_segment *g)
{
	struct tcp *t = s->state;

	new_ack(t, g, 0);
	t->window_ack = g->ack; /* or window updates look old after 2 GB: tcp_predicted_data() */
	if (t->queue.bytes)
		tcp_output(s);
}
#endif
