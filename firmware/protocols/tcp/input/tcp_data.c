/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: text on its way to the user, in order, and the peer's FIN. */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/output/tcp_output.h"
#include "protocols/tcp/tcp_net2.h"
#include "xkernel/memory/allocate.h"

/* The delayed-ACK flag is set before the upcall: the reply pushed in it carries the ACK. */
static void deliver(struct xobj *s, struct msg *m, uint32_t bytes)
{
	struct tcp *t = s->state;

	t->receive_next += bytes;
	t->receive_space -= smaller(bytes, t->receive_space);
	t->ack_delayed = 1;
	m->attribute = NULL;
	tcp_up(s, m);
}

static void fin_input(struct xobj *s)
{
	struct tcp *t = s->state;

	t->receive_next++;
	if (seq_lt(t->receive_advertised, t->receive_next)) /* into a shut window */
		t->receive_advertised = t->receive_next;
	t->ack_now = 1;
	switch (t->state) {
	case TCP_ESTABLISHED:
		t->state = TCP_CLOSE_WAIT;
		break;
	case TCP_FIN_WAIT_1:
		t->state = TCP_CLOSING;
		break;
	case TCP_FIN_WAIT_2:
		tcp_enter_time_wait(s);
		return;
	default:
		return;
	}
	if (!user_has_gone(s))
		tcp_tell(s, XK_CLOSE_PEER);
}

static void early_free(struct tcp_early *e)
{
	msg_destroy(&e->msg);
	xk_free(e);
}

static void early_insert(struct tcp *t, struct tcp_segment *g, struct msg *m);

/* The early segment `e` cuts `g`, whose end lies beyond it: the end is kept too (RFC 9293,
 * SHLD-31).
 */
static void early_keep_end(struct tcp *t, const struct tcp_early *e, const struct tcp_segment *g,
			   struct msg *m)
{
	uint32_t skip = e->sequence + e->bytes - g->sequence;
	struct tcp_segment rest = *g;
	struct msg end;

	if (e->fin || skip > g->bytes || (skip == g->bytes && !(g->flags & TCP_FIN)))
		return;
	rest.sequence += skip;
	rest.bytes -= skip;
	msg_share(&end, m);
	msg_discard(&end, skip);
	early_insert(t, &rest, &end);
	msg_destroy(&end);
}

/* Puts it between its neighbours, keeping what was there first. */
static void early_insert(struct tcp *t, struct tcp_segment *g, struct msg *m)
{
	struct tcp_early **link = &t->early, *before = NULL, *e;
	uint32_t fin = g->flags & TCP_FIN;

	for (; *link && seq_leq((*link)->sequence, g->sequence); link = &(*link)->next)
		before = *link;
	if (before && seq_lt(g->sequence, before->sequence + before->bytes + before->fin)) {
		uint32_t old = before->sequence + before->bytes - g->sequence;

		/* Nothing new, a FIN before the end of what is here, something beyond a FIN. */
		if (before->fin || old > g->bytes || (old == g->bytes && !fin))
			return;
		msg_discard(m, old);
		g->sequence += old;
		g->bytes -= old;
	}
	if (*link && seq_lt((*link)->sequence, g->sequence + g->bytes + fin)) {
		early_keep_end(t, *link, g, m);
		g->bytes = smaller(g->bytes, (*link)->sequence - g->sequence);
		msg_truncate(m, g->bytes);
		fin = 0;
	}
	if (!g->bytes && !fin)
		return;
	if (t->early_count >= TCP_MAX_EARLY) {
		COUNT(tcp_counts, reassembly_full);
		return;
	}
	e = xk_allocate(sizeof *e);
	if (PREDICT_FALSE(!e)) {
		COUNT(tcp_counts, no_memory);
		return;
	}
	e->sequence = g->sequence;
	e->bytes = g->bytes;
	e->fin = fin;
	msg_share(&e->msg, m);
	e->next = *link;
	*link = e;
	t->early_count++;
}

/* The user has closed, or closes within this pop: the peer hears that its data are lost (RFC 1122
 * 4.2.2.13). */
static void data_for_nobody(struct xobj *s, const struct tcp_segment *g)
{
	COUNT(tcp_counts, after_close);
	tcp_reset(s->down[0], g);
	tcp_drop(s, XK_CLOSE_RESET);
}

/* Delivers what has become contiguous with `g`; 1: up to and including the FIN. The user may do
 * anything in each upcall, so the queue is looked at afresh. */
static int early_deliver(struct xobj *s, const struct tcp_segment *g)
{
	struct tcp *t = s->state;
	struct tcp_early *e;
	int fin = 0;

	while (!fin && (e = t->early) && seq_leq(e->sequence, t->receive_next)) {
		uint32_t old = t->receive_next - e->sequence;

		if (old < e->bytes && user_has_gone(s)) {
			data_for_nobody(s, g);
			return 0;
		}
		t->early = e->next;
		t->early_count--;
		if (old < e->bytes) {
			if (old)
				msg_discard(&e->msg, old);
			deliver(s, &e->msg, e->bytes - old);
		}
		fin = e->fin && old <= e->bytes;
		early_free(e);
	}
	return fin && t->state != TCP_CLOSED;
}

/* Delivers the missing bytes, then the bytes that came early. 1: up to the FIN. */
static int fill_gap(struct xobj *s, struct tcp_segment *g, struct msg *m)
{
	struct tcp *t = s->state;
	uint32_t gap = t->early->sequence - g->sequence;
	int fin = (g->flags & TCP_FIN) && g->bytes < gap;

	early_keep_end(t, t->early, g, m);
	if (g->bytes > gap) {
		msg_truncate(m, gap);
		g->bytes = gap;
	}
	if (g->bytes)
		deliver(s, m, g->bytes);
	return fin ? t->state != TCP_CLOSED : early_deliver(s, g);
}

static int may_receive(const struct tcp *t)
{
	return t->state == TCP_ESTABLISHED || t->state == TCP_FIN_WAIT_1 ||
	       t->state == TCP_FIN_WAIT_2;
}

void tcp_data_input(struct xobj *s, struct tcp_segment *g, struct msg *m)
{
	struct tcp *t = s->state;
	int fin = g->flags & TCP_FIN;
	uint32_t second;

	if (!g->bytes && !fin)
		return;
	if (PREDICT_FALSE(!may_receive(t)))
		return; /* nothing comes after the peer's FIN */
	if (PREDICT_FALSE(g->bytes && t->user_closed)) {
		data_for_nobody(s, g);
		return;
	}
	if (PREDICT_FALSE(g->sequence != t->receive_next)) {
		COUNT(tcp_counts, out_of_order);
		tcp_lock_reassembly(t);
		early_insert(t, g, m);
		tcp_unlock_reassembly(t);
		t->ack_now = 1;
		return;
	}
	second = t->ack_delayed;
	if (PREDICT_FALSE(t->early)) {
		tcp_lock_reassembly(t);
		fin = fill_gap(s, g, m);
		tcp_unlock_reassembly(t);
		second = 1;
	} else if (g->bytes) {
		deliver(s, m, g->bytes);
	}
	/* A second segment, or a gap closed, is acknowledged at once (RFC 1122 4.2.3.2, RFC 5681),
	 * unless a reply has done so. */
	if (PREDICT_FALSE(second && t->ack_delayed))
		t->ack_now = 1;
	if (PREDICT_FALSE(fin) && may_receive(t))
		fin_input(s);
}

#if XK_TCP_HDRPRED
void tcp_predicted_data(struct xobj *s, const struct tcp_segment *g, struct msg *m)
{
	struct tcp *t = s->state;
	uint32_t second = t->ack_delayed;

	/* Or window updates would look old after 2 GB of prediction, as they did in Net/2. */
	t->window_sequence = g->sequence;
	t->window_ack = g->ack;
	deliver(s, m, g->bytes);
	if (second && t->ack_delayed && t->state != TCP_CLOSED) {
		t->ack_now = 1;
		tcp_output(s);
	}
}
#endif
