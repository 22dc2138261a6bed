/* SPDX-License-Identifier: BSD-2-Clause */
/* Congestion window (Jacobson 1988: slow start and avoidance, Tahoe) and retransmission time-out.
 */
#include "protocols/tcp/timers/tcp_timer.h"

void tcp_congestion_open(struct tcp *t)
{
	uint32_t window = t->congestion_window, step = t->segment_max;

	if (XK_NODIV && window >= TCP_MAX_WINDOW)
		return; /* fully open, as nearly always on a local network */
	if (!XK_NODIV || window > t->slow_start_threshold) {
		uint32_t linear = step * step / window;

		if (window > t->slow_start_threshold)
			step = linear ? linear : 1;
	}
	t->congestion_window = smaller(window + step, TCP_MAX_WINDOW);
}

void tcp_congestion_cut(struct tcp *t)
{
	uint32_t half = smaller(t->send_window, t->congestion_window) / 2;

	half -= half % t->segment_max;
	if (half < 2 * t->segment_max)
		half = 2 * t->segment_max;
	t->slow_start_threshold = half;
	t->congestion_window = t->segment_max;
}

uint32_t tcp_rto(const struct tcp *t)
{
	uint32_t ticks = t->srtt ? (t->srtt >> 3) + t->rttvar : TCP_RTO_INITIAL;

	ticks <<= smaller(t->backoff, TCP_MAX_BACKOFF);
	if (ticks < TCP_RTO_MIN)
		return TCP_RTO_MIN;
	return smaller(ticks, TCP_RTO_MAX);
}

void tcp_rtt_sample(struct tcp *t, uint32_t ticks)
{
	int32_t error;

	if (PREDICT_FALSE(t->srtt == 0)) {
		t->srtt = (tcp_short)(ticks << 3);
		t->rttvar = (tcp_short)(ticks << 1);
	} else {
		int32_t srtt, rttvar;

		/* srtt += error / 8, rttvar += (|error| - rttvar) / 4, in their scales. */
		error = (int32_t)ticks - 1 - (int32_t)(t->srtt >> 3);
		srtt = (int32_t)t->srtt + error;
		if (error < 0)
			error = -error;
		rttvar = (int32_t)t->rttvar + error - (int32_t)(t->rttvar >> 2);
		t->srtt = (tcp_short)(srtt > 0 ? srtt : 1);
		t->rttvar = (tcp_short)(rttvar > 0 ? rttvar : 1);
	}
	t->rtt_ticks = 0;
	t->backoff = 0;
	t->rto = (tcp_short)tcp_rto(t);
}
