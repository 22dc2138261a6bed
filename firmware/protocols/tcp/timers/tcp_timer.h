/* SPDX-License-Identifier: BSD-2-Clause */
/* Timers, round-trip times, congestion, and probes of a shut window. */
#pragma once

#include "protocols/tcp/tcp_private.h"

/* tcp_timer.c */
void tcp_timers_start(struct xobj *self);

/* tcp_congestion.c */
void tcp_congestion_open(struct tcp *t); /* a new ACK has come */
void tcp_congestion_cut(struct tcp *t);	 /* a loss */
void tcp_rtt_sample(struct tcp *t, uint32_t ticks);
uint32_t tcp_rto(const struct tcp *t); /* slow ticks, with backoff */

/* tcp_persist.c */
/* Data wait and nothing is under way that would bring an ACK: the window is probed. */
void tcp_probe_if_stuck(struct tcp *t);
/* A segment says that the peer's window is 0. Data that it has not acknowledged go again, all of
 * them, when it opens; until then it is probed, and no try is counted (RFC 9293 3.8.6). */
void tcp_window_shut(struct tcp *t);
void tcp_window_opens(struct tcp *t);  /* while it was probed */
int tcp_probed_in_vain(struct tcp *t); /* so often that the connection is given up */
