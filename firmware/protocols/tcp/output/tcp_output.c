/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: deciding what to send now. */
#include "protocols/tcp/output/tcp_output.h"
#include "protocols/tcp/timers/tcp_timer.h"

static const uint8_t flags_in_state[] = {
	[TCP_CLOSED] = 0,
	[TCP_LISTEN] = 0,
	[TCP_SYN_SENT] = TCP_SYN,
	[TCP_SYN_RECEIVED] = TCP_SYN | TCP_ACK,
	[TCP_ESTABLISHED] = TCP_ACK,
	[TCP_CLOSE_WAIT] = TCP_ACK,
	[TCP_FIN_WAIT_1] = TCP_FIN | TCP_ACK,
	[TCP_CLOSING] = TCP_FIN | TCP_ACK,
	[TCP_LAST_ACK] = TCP_FIN | TCP_ACK,
	[TCP_FIN_WAIT_2] = TCP_ACK,
	[TCP_TIME_WAIT] = TCP_ACK,
};

/* The window that we offer: never silly and small, never less than we have promised. */
static uint32_t offered_window(const struct tcp *t)
{
	uint32_t window = t->receive_space;
	uint32_t promised = t->receive_advertised - t->receive_next;

	if (window < t->receive_size / 4 && window < t->segment_max)
		window = 0;
	if (window < promised)
		window = promised;
	return smaller(window, TCP_MAX_WINDOW);
}

/* Is the window so much larger than the peer knows that it must be told? Two segments, or a third
 * of the most we offer: by shift and add (XK_NODIV), where BSD computed 35 percent. */
static int window_is_news(const struct tcp *t, uint32_t window)
{
	uint32_t news = window - (t->receive_advertised - t->receive_next);

	if (t->state < TCP_ESTABLISHED || news == 0)
		return 0;
	if (news >= (uint32_t)t->segment_max << 1)
		return 1;
	if (XK_NODIV)
		return news + (news << 1) >= t->receive_size;
	return 100 * news / t->receive_size >= 35;
}

static int data_should_go(const struct tcp *t, uint32_t from, uint32_t bytes)
{
	if (bytes == t->segment_max || t->force)
		return 1;
	if ((t->send_max == t->send_una || t->no_delay) && from + bytes >= t->queue.bytes)
		return 1;
	if (bytes >= t->send_window_max / 2)
		return 1;
	return seq_lt(t->send_next, t->send_max); /* again */
}

/* Everything but the timers is as if the segment were on its way, even if memory or the ring are
 * full: that is a loss like any other. */
static void account(struct tcp *t, uint32_t bytes, uint32_t flags)
{
	uint32_t start = t->send_next;

	if (PREDICT_FALSE(t->force) && t->timer[TCP_PERSIST]) {
		if (seq_lt(t->send_max, start + bytes))
			t->send_max = start + bytes;
		return;
	}
	if (flags & TCP_SYN)
		t->send_next++;
	t->send_next += bytes;
	if (flags & TCP_FIN) {
		t->fin_sent = 1;
		t->send_next++;
	}
	if (seq_lt(t->send_max, t->send_next)) {
		t->send_max = t->send_next;
		if (!t->rtt_ticks) {
			t->rtt_ticks = 1;
			t->rtt_sequence = start;
		}
	}
	if (!t->timer[TCP_RETRANSMIT] && t->send_next != t->send_una) {
		t->timer[TCP_RETRANSMIT] = t->rto;
		if (PREDICT_FALSE(t->timer[TCP_PERSIST])) {
			t->timer[TCP_PERSIST] = 0;
			t->backoff = 0;
		}
	}
}

/* Sends at most one segment. 1: there may be more. */
static int output_one(struct xobj *s)
{
	struct tcp *t = s->state;
	uint32_t flags = flags_in_state[t->state];
	uint32_t window = smaller(t->send_window, t->congestion_window);
	uint32_t from = t->send_next - t->send_una;
	uint32_t queued = t->state >= TCP_ESTABLISHED ? t->queue.bytes : 0;
	uint32_t bytes = 0, more = 0, offer, sequence;
	tcp_byte owed;
	int result;

	if (PREDICT_FALSE(!flags))
		return 0;
	if (PREDICT_FALSE(t->force)) {
		if (window == 0) {
			window = 1;
		} else {
			t->timer[TCP_PERSIST] = 0;
			t->backoff = 0;
		}
	}
	if (smaller(queued, window) > from)
		bytes = smaller(queued, window) - from;
	if (bytes > t->segment_max) {
		bytes = t->segment_max;
		more = 1;
	}
	if (from + bytes < queued || (t->fin_sent && from > queued) ||
	    (t->force && t->timer[TCP_PERSIST]))
		flags &= ~(uint32_t)TCP_FIN; /* not yet, already beyond it, or no room */
	if (PREDICT_FALSE(flags & TCP_SYN) && from && !t->ack_now)
		return 0; /* the SYN is on its way */
	offer = offered_window(t);
	if (!(bytes && data_should_go(t, from, bytes)) && !t->ack_now &&
	    !(flags & (TCP_SYN | TCP_FIN))) {
		if (!window_is_news(t, offer)) {
			if (queued)
				tcp_probe_if_stuck(t);
			return 0;
		}
		COUNT(tcp_counts, window_updates);
	}
	if (PREDICT_FALSE(flags & TCP_SYN))
		t->send_next = t->send_initial;
	sequence = t->send_next;
	if (bytes && from + bytes == queued)
		flags |= TCP_PSH;
	if (!bytes && !(flags & (TCP_SYN | TCP_FIN))) {
		COUNT(tcp_counts, pure_acks_sent);
		if (queued)
			tcp_probe_if_stuck(t);
		if (!t->timer[TCP_PERSIST])
			sequence = t->send_max;
	}
	account(t, bytes, flags);
	owed = t->ack_now | t->ack_delayed;
	t->ack_now = t->ack_delayed = 0;
	if (seq_lt(t->receive_advertised, t->receive_next + offer))
		t->receive_advertised = t->receive_next + offer;
	result = tcp_send_segment(s, sequence, from, bytes, flags, offer);
	if (PREDICT_FALSE(result < 0)) {
		if (result == XK_WOULD_BLOCK)
			COUNT(tcp_counts, transmit_full);
		else
			COUNT(tcp_counts, no_memory);
		t->ack_delayed = owed; /* the fast timer will try again */
		return 0;
	}
	return (int)more;
}

int tcp_output(struct xobj *s)
{
	while (output_one(s) && tcp_may_go_on(tcp_output))
		;
	return XK_OK;
}

#if XK_MP
int tcp_take_piece(struct tcp *t, struct tcp_piece *piece)
{
	uint32_t from = t->send_next - t->send_una, queued = t->queue.bytes, bytes = 0;
	uint32_t window = smaller(t->send_window, t->congestion_window);
	int failed;

	if (smaller(queued, window) > from)
		bytes = smaller(queued, window) - from;
	piece->more = bytes > t->segment_max;
	if (piece->more)
		bytes = t->segment_max;
	if (!bytes || !data_should_go(t, from, bytes)) {
		if (queued)
			tcp_probe_if_stuck(t);
		return 0;
	}
	piece->sequence = t->send_next;
	piece->flags = TCP_ACK | (from + bytes == queued ? TCP_PSH : 0);
	account(t, bytes, piece->flags);
	tcp_lock_queue(t);
	failed = tcp_queue_share(&t->queue, from, bytes, &piece->m);
	tcp_unlock_queue(t);
	if (PREDICT_FALSE(failed))
		COUNT(tcp_counts, no_memory);
	return !failed;
}

void tcp_head_piece(struct tcp *t, struct tcp_piece *piece)
{
	piece->ack = t->receive_next;
	piece->window = offered_window(t);
	t->ack_now = t->ack_delayed = 0;
	if (seq_lt(t->receive_advertised, t->receive_next + piece->window))
		t->receive_advertised = t->receive_next + piece->window;
}
#endif
