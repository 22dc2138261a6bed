/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/tcp/tcp_private.h"

/* Sets the timer; every further probe comes later. */
static inline void tcp_persist_set(struct tcp *t)
{
	uint32_t ticks = ((t->srtt >> 2) + t->rttvar) >> 1;

	ticks = (ticks ? ticks : 1) << smaller(t->backoff, TCP_MAX_BACKOFF);
	if (ticks < TCP_PERSIST_MIN)
		ticks = TCP_PERSIST_MIN;
	t->timer[TCP_PERSIST] = (tcp_short)smaller(ticks, TCP_PERSIST_MAX);
	if (t->backoff < TCP_MAX_RETRANSMITS)
		t->backoff++;
}
