/* SPDX-License-Identifier: BSD-2-Clause */
/* Slow start and congestion avoidance as in Tahoe (Jacobson 1988), and the time-out of
 * retransmission. */
#include "bsd/tcp/tcp_var.h"

void tcp_congestion_open(struct tcpcb *t)
{
	uint32_t window = t->congestion_window, step = t->segment_max;

	if (window >= WINDOW_MAX)
		return;
	if (window > t->slow_start_threshold) {
		uint32_t linear = step * step / window;

		step = linear ? linear : 1;
	}
	t->congestion_window = smaller(window + step, WINDOW_MAX);
}

void tcp_congestion_cut(struct tcpcb *t)
{
	uint32_t segment = t->segment_max;
	uint32_t segments = smaller(t->send_window, t->congestion_window) / 2 / segment;

	if (segments < 2)
		segments = 2;
	t->slow_start_threshold = segments * segment;
	t->congestion_window = segment;
}

uint32_t tcp_rto(const struct tcpcb *t)
{
	uint32_t ticks = t->srtt ? ((uint32_t)t->srtt >> 3) + t->rttvar : RTO_INITIAL;

	ticks <<= smaller(t->backoff, MAX_BACKOFF);
	if (ticks < RTO_MIN)
		return RTO_MIN;
	return smaller(ticks, RTO_MAX);
}

/* srtt += error / 8, rttvar += (|error| - rttvar) / 4, in their scales. */
void tcp_xmit_timer(struct tcpcb *t)
{
	uint32_t ticks = t->rtt;

	if (t->srtt == 0) {
		t->srtt = (tcp_short)(ticks << 3);
		t->rttvar = (tcp_short)(ticks << 1);
	} else {
		int32_t error = (int32_t)ticks - 1 - (int32_t)((uint32_t)t->srtt >> 3);
		int32_t srtt = (int32_t)t->srtt + error, rttvar;

		if (error < 0)
			error = -error;
		rttvar = (int32_t)t->rttvar + error - (int32_t)((uint32_t)t->rttvar >> 2);
		t->srtt = (tcp_short)(srtt > 0 ? srtt : 1);
		t->rttvar = (tcp_short)(rttvar > 0 ? rttvar : 1);
	}
	t->rtt = 0;
	t->backoff = 0;
	t->rto = (tcp_short)tcp_rto(t);
}
