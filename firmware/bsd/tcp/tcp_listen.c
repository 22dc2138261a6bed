/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection's first segments: the peer's SYN for a socket that listens, the answer to ours. */
#include "bsd/tcp/tcp_var.h"
#include "xkernel/memory/memory.h"

/* Nobody may be answered at these: ourselves, everybody, a group, "this host". */
static int is_bad_source(uint32_t source)
{
	return source == interface_addresses->address || is_broadcast(source) || !source ||
	       (source & 0xff) >= 224 || (source & 0xff) == 127;
}

static void take_syn(struct tcpcb *t, uint32_t sequence, uint32_t window, uint32_t segment_max)
{
	if (segment_max)
		tcp_set_peer_segment_max(t, segment_max);
	t->receive_initial = sequence;
	t->receive_next = t->receive_advertised = sequence + 1;
	t->send_window = t->send_window_max = window;
	t->window_sequence = sequence;
}

/* Data with the SYN is not taken: it comes again once the handshake is done. */
static void syn_input(struct inpcb *listener, const struct tcpiphdr *h, uint32_t segment_max)
{
	struct socket *so = sonewconn(listener->socket);
	struct inpcb *p = so ? so->pcb : NULL;
	struct tcpcb *t;

	if (!p) {
		tcpstat.no_memory++;
		return;
	}
	p->local_host = h->destination;
	p->local_port = h->destination_port;
	p->foreign_host = h->source;
	p->foreign_port = h->source_port;
	t = tcpcb_of(p);
	tcp_template(t);
	tcp_sequences(t);
	take_syn(t, h->sequence, h->window, segment_max);
	t->window_ack = t->send_initial;
	t->state = TCPS_SYN_RECEIVED;
	t->timer[TIMER_KEEP] = KEEP_OPENING;
	tcp_output(t);
}

void tcp_listen_input(struct inpcb *p, struct mbuf *m, const struct tcpiphdr *h, uint32_t bytes,
		      uint32_t segment_max)
{
	(void)bytes;
	if (is_bad_source(h->source)) {
		tcpstat.bad_source++;
	} else if (is_broadcast(h->destination)) {
		tcpstat.not_ours++;
	} else if (p && (h->flags & (TH_RST | TH_ACK)) == 0) {
		if ((h->flags & (TH_SYN | TH_FIN)) == TH_SYN)
			syn_input(p, h, segment_max);
	} else if (!p || !(h->flags & TH_RST)) {
		tcp_reset(m, h);
		return;
	}
	m_freem(m);
}

static int ack_is_good(const struct tcpcb *t, uint32_t ack)
{
	return seq_lt(t->send_initial, ack) && seq_leq(ack, t->send_max);
}

int tcp_syn_sent_input(struct tcpcb *t, struct segment *g, struct tcpiphdr *h)
{
	if (g->flags & TH_ACK && !ack_is_good(t, g->ack)) {
		tcp_reset(g->m, h);
		return 1;
	}
	if (g->flags & TH_RST || !(g->flags & TH_SYN)) {
		m_freem(g->m);
		if ((g->flags & (TH_RST | TH_ACK)) == (TH_RST | TH_ACK))
			return 2;
		return 1;
	}
	take_syn(t, g->sequence, g->window, g->segment_max);
	t->window_ack = g->flags & TH_ACK ? g->ack : t->send_initial;
	t->timer[TIMER_RETRANSMIT] = 0;
	t->flags |= TF_ACK_NOW;
	if (!(g->flags & TH_ACK)) {
		/* Both opened at once: our SYN goes again, with the ACK, from where it was. */
		t->state = TCPS_SYN_RECEIVED;
		t->send_next = t->send_initial;
		m_freem(g->m);
		tcp_output(t);
		return 1;
	}
	if (t->rtt)
		tcp_xmit_timer(t);
	t->backoff = 0;
	t->send_una = g->ack;
	if (seq_lt(t->send_next, t->send_una))
		t->send_next = t->send_una;
	/* Our SYN's offer: text may come along. */
	t->receive_advertised += sbspace(&t->inpcb->socket->receive);
	tcp_established(t);
	g->sequence++;
	g->flags &= ~(uint32_t)TH_SYN;
	return 0;
}
