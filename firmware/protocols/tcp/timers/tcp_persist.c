/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: the persist timer, by which a closed window is probed. Only the timer's tick sends. */
#include "protocols/tcp/timers/tcp_persist.h"
#include "protocols/tcp/timers/tcp_timer.h"

void tcp_probe_if_stuck(struct tcp *t)
{
	if (t->timer[TCP_RETRANSMIT] || t->timer[TCP_PERSIST])
		return;
	t->backoff = 0;
	tcp_persist_set(t);
}

void tcp_window_shut(struct tcp *t)
{
	t->unanswered = 0;
	if (!t->queue.bytes && t->backoff > TCP_MAX_BACKOFF)
		t->backoff = TCP_MAX_BACKOFF; /* a FIN is sent all the same; tries count anew */
	if (!t->queue.bytes || t->timer[TCP_PERSIST])
		return;
	t->timer[TCP_RETRANSMIT] = 0;
	t->rtt_ticks = 0;
	t->send_next = t->send_una;
	tcp_probe_if_stuck(t);
}

/* A FIN that was sent before the window closed may be all that is left, and nobody else sends it
 * again. */
void tcp_window_opens(struct tcp *t)
{
	t->timer[TCP_PERSIST] = 0;
	t->unanswered = 0;
	t->backoff = 0;
	if (t->send_una != t->send_max)
		t->timer[TCP_RETRANSMIT] = t->rto;
}

/* While there is a user, it decides, or keep-alive if it has asked for that. */
int tcp_probed_in_vain(struct tcp *t)
{
	return t->user_closed && ++t->unanswered > TCP_MAX_RETRANSMITS;
}
