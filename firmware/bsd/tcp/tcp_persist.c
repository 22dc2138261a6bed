/* SPDX-License-Identifier: BSD-2-Clause */
/* The persist timer, by which a shut window is probed. Only the timer's tick sends. */
#include "bsd/tcp/tcp_var.h"

void tcp_set_persist(struct tcpcb *t)
{
	uint32_t ticks = (((uint32_t)t->srtt >> 2) + t->rttvar) >> 1;

	ticks = (ticks ? ticks : 1) << smaller(t->backoff, MAX_BACKOFF);
	if (ticks < PERSIST_MIN)
		ticks = PERSIST_MIN;
	t->timer[TIMER_PERSIST] = (tcp_short)smaller(ticks, PERSIST_MAX);
	if (t->backoff < MAX_RETRANSMITS)
		t->backoff++;
}

void tcp_probe_if_stuck(struct tcpcb *t)
{
	if (t->timer[TIMER_RETRANSMIT] || t->timer[TIMER_PERSIST])
		return;
	t->backoff = 0;
	tcp_set_persist(t);
}

/* Everything that has not been acknowledged goes again when the window opens; until then it is
 * probed, and no try is counted (RFC 9293 3.8.6). */
void tcp_window_shut(struct tcpcb *t)
{
	uint32_t queued = t->inpcb->socket->send.bytes;

	t->unanswered = 0;
	if (!queued && t->backoff > MAX_BACKOFF)
		t->backoff = MAX_BACKOFF; /* a FIN is sent all the same; tries count anew */
	if (!queued || t->timer[TIMER_PERSIST])
		return;
	t->timer[TIMER_RETRANSMIT] = 0;
	t->rtt = 0;
	t->send_next = t->send_una;
	tcp_probe_if_stuck(t);
}

/* A FIN that was sent before the window closed may be all that is left, and nobody else sends it
 * again. */
void tcp_window_opens(struct tcpcb *t)
{
	t->timer[TIMER_PERSIST] = 0;
	t->unanswered = 0;
	t->backoff = 0;
	if (t->send_una != t->send_max)
		t->timer[TIMER_RETRANSMIT] = t->rto;
}
