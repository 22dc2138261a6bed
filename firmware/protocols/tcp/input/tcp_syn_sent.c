/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: the answer to our SYN. */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/output/tcp_output.h"
#include "protocols/tcp/timers/tcp_timer.h"

static int ack_is_good(const struct tcp *t, const struct tcp_segment *g)
{
	return seq_lt(t->send_initial, g->ack) && seq_leq(g->ack, t->send_max);
}

int tcp_syn_sent_input(struct xobj *s, struct tcp_segment *g, struct msg *m)
{
	struct tcp *t = s->state;

	if ((g->flags & TCP_ACK) && !ack_is_good(t, g)) {
		tcp_reset(s->down[0], g);
		return 1;
	}
	if (g->flags & TCP_RST) {
		if (g->flags & TCP_ACK)
			tcp_drop(s, XK_CLOSE_REFUSED);
		return 1;
	}
	if (!(g->flags & TCP_SYN))
		return 1;
	if (g->segment_max)
		tcp_set_peer_segment_max(s, g->segment_max);
	t->receive_initial = g->sequence;
	t->receive_next = t->receive_advertised = g->sequence + 1;
	t->send_window = t->send_window_max = g->window;
	t->window_sequence = g->sequence;
	t->window_ack = g->flags & TCP_ACK ? g->ack : t->send_initial;
	t->timer[TCP_RETRANSMIT] = 0;
	t->ack_now = 1;
	if (!(g->flags & TCP_ACK)) {
		/* Both opened at once: our SYN goes again, with the ACK, from where it was. */
		t->state = TCP_SYN_RECEIVED;
		t->send_next = t->send_initial;
		return 1;
	}
	if (t->rtt_ticks)
		tcp_rtt_sample(t, t->rtt_ticks);
	t->backoff = 0;
	t->send_una = g->ack;
	if (seq_lt(t->send_next, t->send_una))
		t->send_next = t->send_una;
	t->receive_advertised += t->receive_space; /* our SYN's offer: text may come along */
	tcp_become_established(s);
	g->sequence++;
	g->flags &= ~(uint32_t)TCP_SYN;
	if (g->bytes > t->receive_space) {
		msg_truncate(m, t->receive_space);
		g->bytes = t->receive_space;
		g->flags &= ~(uint32_t)TCP_FIN;
	}
	return 0;
}
