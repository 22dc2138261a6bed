/* SPDX-License-Identifier: BSD-2-Clause */
/* The 200 ms timer, which sends delayed ACKs, and the 500 ms timer for everything else. */
#include "bsd/error.h"
#include "bsd/tcp/tcp_var.h"

/* Each of these: 1: the connection is gone. */
static int give_up(struct tcpcb *t)
{
	tcp_drop(t, BSD_ETIMEDOUT);
	return 1;
}

static int retransmit(struct tcpcb *t)
{
	tcpstat.retransmit_timeouts++;
	if (t->backoff >= MAX_RETRANSMITS)
		return give_up(t);
	t->backoff++;
	t->rto = (tcp_short)tcp_rto(t);
	t->timer[TIMER_RETRANSMIT] = t->rto;
	t->send_next = t->send_una;
	t->rtt = 0; /* an ACK could be for either copy (Karn) */
	t->duplicate_acks = 0;
	tcp_congestion_cut(t);
	tcp_output(t);
	return 0;
}

static int probe(struct tcpcb *t)
{
	const struct socket *so = t->inpcb->socket;

	if (!so->send.bytes) { /* the peer took the last byte from a probe: a FIN may be left */
		tcp_output(t);
		return 0;
	}
	if (so->state & SOCKET_NO_USER && ++t->unanswered > MAX_RETRANSMITS)
		return give_up(t);
	tcpstat.persist_probes++;
	tcp_set_persist(t);
	t->force = 1;
	tcp_output(t);
	t->force = 0;
	return 0;
}

/* The byte before the next one: the peer has it, and says so (RFC 1122). While data are sent again,
 * that is probe enough. */
static int keep(struct tcpcb *t)
{
	const struct socket *so = t->inpcb->socket;

	if (t->state < TCPS_ESTABLISHED)
		return give_up(t);
	if (!(so->options & SOCKET_KEEPALIVE) || t->state > TCPS_CLOSE_WAIT ||
	    t->timer[TIMER_RETRANSMIT]) {
		t->timer[TIMER_KEEP] = (tcp_short)t->keep_idle;
		t->keep_probes = 0;
		return 0;
	}
	if (t->keep_probes >= KEEP_PROBES) {
		tcpstat.given_up++;
		return give_up(t);
	}
	t->timer[TIMER_KEEP] = KEEP_INTERVAL;
	t->keep_probes++;
	tcpstat.keepalive_probes++;
	tcp_respond(NULL, &t->header, t->receive_next, t->send_una - 1, TH_ACK,
		    t->receive_advertised - t->receive_next);
	return 0;
}

static int expire(struct tcpcb *t, int timer)
{
	switch (timer) {
	case TIMER_RETRANSMIT:
		return retransmit(t);
	case TIMER_PERSIST:
		return probe(t);
	case TIMER_KEEP:
		return keep(t);
	default:
		tcp_close(t);
		return 1;
	}
}

static void tick(struct tcpcb *t)
{
	if (t->idle < UINT16_MAX)
		t->idle++;
	if (t->rtt)
		t->rtt++;
	for (int i = 0; i < TIMERS; i++)
		if (t->timer[i] && --t->timer[i] == 0 && expire(t, i))
			return;
}

void tcp_slowtimo(void)
{
	int level = splnet();
	struct inpcb *p, *next;

	for (p = tcb.first; p; p = next) {
		next = p->next;
		if (tcpcb_of(p)->state > TCPS_LISTEN)
			tick(tcpcb_of(p));
	}
	splx(level);
}

void tcp_fasttimo(void)
{
	int level = splnet();

	for (const struct inpcb *p = tcb.first; p; p = p->next) {
		struct tcpcb *t = tcpcb_of(p);

		if (!(t->flags & TF_ACK_DELAYED))
			continue;
		t->flags |= TF_ACK_NOW;
		tcpstat.delayed_acks_sent++;
		tcp_output(t);
	}
	splx(level);
}
