/* SPDX-License-Identifier: BSD-2-Clause */
/* What BSD Net/2 does otherwise than Tahoe; off by default (XK_TCP_NET2, XK_TCP_HDRPRED), and then
 * not in the image. SIGCOMM'96 measured a stack without either. */
#ifndef TCP_NET2_H
#define TCP_NET2_H

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

extern struct tcp_predictions {
	uint64_t acks, data, missed;
} tcp_predictions;

void tcp_predicted_ack(struct xobj *s, const struct tcp_segment *g);
void tcp_predicted_data(struct xobj *s, const struct tcp_segment *g, struct msg *m);

/* 1: the segment was what a transfer in one direction makes expected, and is dealt with. */
static inline int tcp_predict(struct xobj *s, const struct tcp_segment *g, struct msg *m)
{
	const struct tcp *t = s->state;

	if (t->state == TCP_ESTABLISHED && (g->flags & ~(uint32_t)TCP_PSH) == TCP_ACK &&
	    g->sequence == t->receive_next && g->window && g->window == t->send_window &&
	    t->send_next == t->send_max) {
		if (!g->bytes && seq_lt(t->send_una, g->ack) && seq_leq(g->ack, t->send_max) &&
		    t->congestion_window >= t->send_window) {
			tcp_predictions.acks++;
			tcp_predicted_ack(s, g);
			return 1;
		}
		if (g->bytes && g->ack == t->send_una && !t->early &&
		    g->bytes <= t->receive_space) {
			tcp_predictions.data++;
			tcp_predicted_data(s, g, m);
			return 1;
		}
	}
	tcp_predictions.missed++;
	return 0;
}
#endif
