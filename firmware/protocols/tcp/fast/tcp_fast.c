/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP's fast path, in: the segment that follows, with a little text and an ACK of all we have sent,
 * from ETH to the user. One guard looks at every field of the three headers and at the connection;
 * whatever is not as expected goes the general way, untouched. */
#include "protocols/tcp/fast/tcp_fast.h"
#include "protocols/tcp/fast/tcp_fast_begin.h"
#include "protocols/tcp/output/tcp_output.h"
#include "protocols/tcp/timers/tcp_timer.h"

#include "protocols/eth/eth_private.h"
#include "protocols/ip/ip_private.h"
#include "protocols/lance/lance.h"

#if XK_FAST_IN

#define TCP_FIXED 0x37f0 /* offset, flags but PSH */
#define TCP_EXPECTED (TCP_HEADER_BYTES << 2 | TCP_ACK << 8)

/* Bytes of text of the frame at w if its headers are as expected, else 0. */
static inline uint32_t expected_text(struct tcp *t, const tcp_quad *w)
{
	struct tcp_fast *f = &t->fast;
	uint32_t bytes = (w[LENGTH] >> 24 & 0xff) - TCP_IP_BYTES;
	uint64_t odd = 0;

	if (PATH_UNKNOWN(w[STATION], f->path)) {
		odd = (w[STATION] ^ f->station) >> 16;
		odd |= w[SOURCE_TYPE] ^ f->source_type;
		odd |= (w[LENGTH] & IP_FIXED) ^ IP_EXPECTED;
		odd |= (w[SOURCE] & PROTOCOL_SOURCE) ^ f->source;
		odd |= w[DESTINATION] ^ f->destination;
	}
	odd |= (uint32_t)w[NUMBERS] ^ tcp_fast_word(&f->next, t->receive_next);
	odd |= (w[NUMBERS] >> 32) ^ tcp_fast_word(&f->max, t->send_max);
	odd |= (w[FLAGS] & TCP_FIXED) ^ TCP_EXPECTED;
	if (PREDICT_FALSE(odd || bytes - 1 >= TCP_FAST_BYTES))
		return 0;
	/* time to live, window */
	if (PREDICT_FALSE(!(w[SOURCE] & 0xff) || !(w[FLAGS] & 0xffff0000)))
		return 0;
	return bytes;
}

static inline int sums_are_right(const struct tcp *t, const tcp_quad *w, uint32_t bytes)
{
	uint64_t ip =
	    tcp_fast_halves(w[LENGTH]) + tcp_fast_halves(w[SOURCE]) + (w[DESTINATION] & 0xffffffff);
	uint64_t tcp = t->pseudo_sum + (uint64_t)((TCP_HEADER_BYTES + bytes) << 8) +
		       (w[DESTINATION] >> 32) + tcp_fast_halves(w[NUMBERS]) +
		       tcp_fast_halves(w[FLAGS]) + tcp_fast_halves(w[TEXT] & tcp_fast_mask(bytes));

	return checksum_fold(ip) == 0 && checksum_fold(tcp) == 0;
}

/* Is the connection one whose next segment has no consequences but the usual? */
static inline int is_steady(const struct tcp *t)
{
	/* There is room for the longest text, and the peer has been told of it. */
	if (t->state != TCP_ESTABLISHED || t->user_closed ||
	    seq_lt(t->receive_advertised, t->receive_next + TCP_FAST_BYTES) || t->early ||
	    t->receive_space < TCP_FAST_BYTES)
		return 0;
	if (t->send_next != t->send_max || t->queue.bytes != t->send_max - t->send_una)
		return 0;
	if (t->backoff || t->duplicate_acks || t->timer[TCP_PERSIST] || t->waiting_room)
		return 0;
	return !XK_KEEPALIVE || t->queue.bytes;
}

/* A steady round trip within one slow tick changes nothing. */
static inline void round_trip(struct tcp *t)
{
	if (t->rtt_ticks == 1 && t->srtt - 1 < 7 && t->rttvar - 1 < 3)
		t->rtt_ticks = 0;
	else
		tcp_rtt_sample(t, t->rtt_ticks);
}

/* All that we have sent has arrived: new_ack() of tcp_ack.c. */
static inline void all_acked(struct tcp *t)
{
	uint32_t ack = t->send_max;

	if (t->rtt_ticks && seq_lt(t->rtt_sequence, ack))
		round_trip(t);
	t->timer[TCP_RETRANSMIT] = 0;
	if (PREDICT_FALSE(t->congestion_window < TCP_MAX_WINDOW))
		tcp_congestion_open(t);
	if (t->queue.first == &t->fast.chunk && t->queue.chunks == 1) {
		ref_down(&t->fast.chunk.msg.front->refs); /* fast.bytes has another */
		t->queue.first = NULL;
		t->queue.last = &t->queue.first;
		t->queue.bytes = t->queue.chunks = 0;
	} else {
		tcp_queue_drop(&t->queue, t->queue.bytes);
	}
	t->send_una = ack;
}

/* window_input() of tcp_ack.c, for a window that is open and was. */
static inline void window_news(struct tcp *t, uint32_t window)
{
	uint32_t sequence = t->receive_next, ack = t->send_una;

	if (!seq_lt(t->window_sequence, sequence) &&
	    (t->window_sequence != sequence || seq_lt(ack, t->window_ack)))
		return;
	t->send_window = window;
	t->window_sequence = sequence;
	t->window_ack = ack;
	if (t->send_window_max < window)
		t->send_window_max = window;
}

static void input(struct xobj *s, struct msg *m, const tcp_quad *w, uint32_t bytes)
{
	struct tcp *t = s->state;
	uint32_t second = t->ack_delayed;

	ip_counts.received++;
	COUNT(tcp_counts, segments_received);
	m->head += ETH_HEADER_BYTES + TCP_IP_BYTES;
	m->tail = m->head + bytes;
	m->attribute = NULL;
	ref_up(&s->refs);
	if (t->queue.bytes)
		all_acked(t);
	window_news(t, swap16((uint32_t)w[FLAGS] >> 16));
	t->receive_next += bytes;
	t->receive_space -= bytes;
	t->ack_delayed = 1; /* the reply pushed in the upcall carries it */
	xDemux(s, m);
	if (PREDICT_FALSE(second && t->ack_delayed))
		t->ack_now = 1;
	if (PREDICT_FALSE(t->ack_now || t->state != TCP_ESTABLISHED ||
			  t->queue.bytes != t->send_next - t->send_una))
		tcp_input_end(s);
	xClose(s);
}

#if XK_FAST_TABLE
/* Takes a frame with the ports of the connection s. */
static int tcp_fast_input(struct xobj *s, struct msg *m, struct xobj *self, struct xobj *lower)
{
	const tcp_quad *w = (const tcp_quad *)(m->head - 2);
	struct tcp *t = s->state;
	uint32_t bytes = expected_text(t, w);

	if (PREDICT_FALSE(!bytes || !is_steady(t) || !sums_are_right(t, w, bytes)))
		return eth_demux(self, lower, m);
	input(s, m, w, bytes);
	return XK_OK;
}

const tcp_fast_way tcp_fast_shared = tcp_fast_input;

static int demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	const tcp_quad *w = (const tcp_quad *)(m->head - 2);
	struct tcp_fast_entry *e;

	if (PREDICT_FALSE(m->rest.bytes || msg_front_bytes(m) < LANCE_MIN_FRAME ||
			  ((uintptr_t)w & 7) || ref_read(&m->front->refs) != 1))
		return eth_demux(self, lower, m);
	e = tcp_fast_entry((uint32_t)(w[DESTINATION] >> 32));
	if (PREDICT_FALSE(!e->session))
		return eth_demux(self, lower, m);
	return e->input(e->session, m, self, lower);
}
#else
static int demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	const tcp_quad *w = (const tcp_quad *)(m->head - 2);
	struct xobj *s = tcp_fast_connection;
	struct tcp *t;
	uint32_t bytes;

	if (PREDICT_FALSE(!s || m->rest.bytes || msg_front_bytes(m) < LANCE_MIN_FRAME ||
			  ((uintptr_t)w & 7) || ref_read(&m->front->refs) != 1))
		return eth_demux(self, lower, m);
	t = s->state;
	bytes = expected_text(t, w);
	if (PREDICT_FALSE(!bytes || !is_steady(t) || !sums_are_right(t, w, bytes)))
		return eth_demux(self, lower, m);
	input(s, m, w, bytes);
	return XK_OK;
}
#endif

const struct xobj_ops tcp_fast_ops = { XOBJ_DEFAULTS, .demux = demux };

#endif
