/* SPDX-License-Identifier: BSD-2-Clause */
/* Header prediction as in BSD Net/2 (XK_TCP_HDRPRED): what tcp_input.c asks first. */
#pragma once

#include "protocols/tcp/tcp_net2.h"

/* 1: the segment was what a transfer in one direction makes expected, and is dealt with. */
static inline int tcp_predict(struct xobj *s, const struct tcp_segment *g, struct msg *m)
{
	const struct tcp *t = s->state;

	if (t->state == TCP_ESTABLISHED && (g->flags & ~(uint32_t)TCP_PSH) == TCP_ACK &&
	    g->sequence == t->receive_next && g->window && g->window == t->send_window &&
	    t->send_next == t->send_max) {
		if (!g->bytes && seq_lt(t->send_una, g->ack) && seq_leq(g->ack, t->send_max) &&
		    t->congestion_window >= t->send_window) {
			COUNT(tcp_predictions, acks);
			tcp_predicted_ack(s, g);
			return 1;
		}
		if (g->bytes && g->ack == t->send_una && !t->early &&
		    g->bytes <=
			smaller(t->receive_space, t->receive_advertised - t->receive_next)) {
			COUNT(tcp_predictions, data);
			tcp_predicted_data(s, g, m);
			return 1;
		}
	}
	COUNT(tcp_predictions, missed);
	return 0;
}
