/* SPDX-License-Identifier: BSD-2-Clause */
/* Differences of BSD Net/2 from Tahoe; off by default (XK_TCP_NET2, XK_TCP_HDRPRED), and then not
 * in the image. SIGCOMM'96 measured a stack without either. */
#pragma once

#include "protocols/tcp/tcp_private.h"

/* Fast recovery (Jacobson 1990): every further duplicate ACK says that a segment has left the
 * network; another one may enter. */
static inline void tcp_recovery_begin(struct tcp *t)
{
	t->congestion_window =
	    t->slow_start_threshold + TCP_DUPLICATE_ACKS * (uint32_t)t->segment_max;
}

static inline void tcp_recovery_go_on(struct tcp *t)
{
	t->congestion_window = smaller(t->congestion_window + t->segment_max, TCP_MAX_WINDOW);
}

static inline void tcp_recovery_end(struct tcp *t)
{
	t->congestion_window = smaller(t->congestion_window, t->slow_start_threshold);
}

struct tcp_predictions {
	uint64_t acks, data, missed;
} OWN_BLOCK;
extern struct tcp_predictions tcp_predictions PER_CPU;

void tcp_predicted_ack(struct xobj *s, const struct tcp_segment *g);
void tcp_predicted_data(struct xobj *s, const struct tcp_segment *g, struct msg *m);
