/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: a segment for a connection, in RFC 793's order: sequence, RST, SYN, ACK, data, FIN. */
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/fast/tcp_fast_begin.h"
#include "protocols/tcp/input/tcp_predict.h"
#include "protocols/tcp/output/tcp_output.h"

/* The window that the peer has been told: room that it has not heard of is not there for it, or
 * more would come than was offered, and the offer that is left would be below 0. The size, if the
 * user has made that less than was told. */
static uint32_t receive_window(const struct tcp *t)
{
	uint32_t promised = t->receive_advertised - t->receive_next;

	return t->receive_size < promised ? t->receive_size : promised;
}

static void reset_input(struct xobj *s, const struct tcp_segment *g)
{
	struct tcp *t = s->state;
	uint32_t window = receive_window(t), offset = g->sequence - t->receive_next;

	if (offset >= window && !(window == 0 && offset == 0)) {
		COUNT(tcp_counts, reset_outside_window);
		return;
	}
	switch (t->state) {
	case TCP_SYN_RECEIVED:
		tcp_drop(s, XK_CLOSE_REFUSED);
		break;
	case TCP_CLOSING:
	case TCP_LAST_ACK:
	case TCP_TIME_WAIT:
		tcp_drop(s, XK_CLOSE_DONE);
		break;
	default:
		tcp_drop(s, XK_CLOSE_RESET);
		break;
	}
}

static void drop_text(struct tcp_segment *g, struct msg *m)
{
	msg_truncate(m, 0);
	g->bytes = 0;
	g->flags &= ~(uint32_t)(TCP_FIN | TCP_PSH);
}

/* Bytes in front of what we wait for have come before. */
static void trim_front(struct tcp *t, struct tcp_segment *g, struct msg *m)
{
	uint32_t old = t->receive_next - g->sequence;

	t->ack_now = 1;
	if (g->flags & TCP_SYN) {
		g->flags &= ~(uint32_t)TCP_SYN;
		g->sequence++;
		old--;
		if (!old)
			return;
	}
	COUNT(tcp_counts, duplicates);
	if (old > g->bytes || (old == g->bytes && !(g->flags & TCP_FIN))) {
		/* All of it. Its ACK may still be news; its window is not, by its sequence. */
		if (t->state == TCP_TIME_WAIT && (g->flags & TCP_FIN))
			t->timer[TCP_WAIT] = TCP_TWO_MSL;
		drop_text(g, m);
		return;
	}
	msg_discard(m, old);
	g->sequence += old;
	g->bytes -= old;
}

/* 1: nothing of it lies in the window. */
static int trim_back(struct tcp *t, struct tcp_segment *g, struct msg *m)
{
	uint32_t window = receive_window(t), offset = g->sequence - t->receive_next;

	if (PREDICT_TRUE(offset + g->bytes <= window))
		return 0;
	t->ack_now = 1;
	COUNT(tcp_counts, beyond_window);
	if (offset >= window) {
		if (offset)
			return 1;
		drop_text(g, m); /* a window probe: its ACK counts */
		return 0;
	}
	msg_truncate(m, window - offset);
	g->bytes = window - offset;
	g->flags &= ~(uint32_t)(TCP_FIN | TCP_PSH);
	return 0;
}

int tcp_trim_to_window(struct xobj *s, struct tcp_segment *g, struct msg *m)
{
	struct tcp *t = s->state;

	if (PREDICT_FALSE(g->flags & TCP_RST)) {
		reset_input(s, g);
		return 1;
	}
	if (PREDICT_FALSE(seq_lt(g->sequence, t->receive_next)))
		trim_front(t, g, m);
	if (PREDICT_TRUE(!seq_lt(g->sequence, t->receive_next)) && trim_back(t, g, m))
		return 1;
	if (PREDICT_FALSE(g->flags & TCP_SYN)) {
		COUNT(tcp_counts, syn_in_window);
		tcp_reset(s->down[0], g);
		tcp_drop(s, XK_CLOSE_RESET);
		return 1;
	}
	return 0;
}

/* A new connection from the same place, while we wait for stragglers of the old (RFC 1122
 * 4.2.2.13). 1: taken. */
static int reopen(struct xobj *s, struct tcp_segment *g)
{
	struct tcp *t = s->state;
	struct tcp_protocol *p = s->protocol->state;
	struct passive_enable *l;
	uint64_t port = g->ports >> 16;

	if (XK_MP) /* a map is not looked into while a connection's locks are held */
		return 0;
	if ((g->flags & (TCP_SYN | TCP_ACK | TCP_RST)) != TCP_SYN ||
	    seq_leq(g->sequence, t->receive_next))
		return 0;
	l = map_find(&p->passive, &port);
	if (!l)
		return 0;
	if (seq_leq(p->next_initial, t->send_max))
		p->next_initial = t->send_max + TCP_INITIAL_STEP;
	tcp_drop(s, XK_CLOSE_DONE);
	tcp_listen_input(s->protocol, l, s->down[0], g);
	return 1;
}

static int more_to_send(const struct xobj *s)
{
	const struct tcp *t = s->state;

	/* The last reference is that of this pop: close follows at once, and its FIN takes the ACK
	 * along. */
	if (ref_read(&s->refs) == 1 && !t->user_closed)
		return 0;
	if (t->ack_now || t->queue.bytes > t->send_next - t->send_una)
		return 1;
	return !t->fin_sent && (t->state == TCP_FIN_WAIT_1 || t->state == TCP_LAST_ACK);
}

/* 1: look at the text. */
static int header_input(struct xobj *s, struct tcp_segment *g, struct msg *m)
{
	struct tcp *t = s->state;

	if (PREDICT_FALSE(t->state == TCP_SYN_SENT))
		return !tcp_syn_sent_input(s, g, m);
	if (PREDICT_FALSE(t->state == TCP_TIME_WAIT) && reopen(s, g))
		return 0;
	if (PREDICT_FALSE(tcp_trim_to_window(s, g, m)))
		return 0;
	if (PREDICT_FALSE(!(g->flags & TCP_ACK))) {
		COUNT(tcp_counts, no_ack_flag);
		return 0;
	}
	return !tcp_ack_input(s, g);
}

#if XK_FAST_IN
void tcp_input_end(struct xobj *s)
{
	const struct tcp *t = s->state;

	if (t->state != TCP_CLOSED && more_to_send(s))
		tcp_output(s);
}
#endif

int tcp_pop(struct xobj *s, struct xobj *lower, struct msg *m, void *header)
{
	const struct tcp *t = s->state;
	struct tcp_segment *g = header;

	if (XK_FAST_IN)
		tcp_fast_last(s);
	if (XK_TCP_HDRPRED && tcp_predict(s, g, m))
		return XK_OK;
	if (header_input(s, g, m))
		tcp_data_input(s, g, m);
	if (t->state != TCP_CLOSED && more_to_send(s))
		tcp_output(s);
	return XK_OK;
}

#if XK_TCP_HDRPRED
struct tcp_predictions tcp_predictions PER_CPU;
#endif
