/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP's fast path, out: a short push on a connection with nothing under way becomes one frame in
 * registers, from the connection's template. All else goes the general way. */
#include "protocols/ip/ip_private.h"
#include "protocols/lance/lance.h"
#include "protocols/tcp/fast/tcp_fast.h"
#include "protocols/tcp/fast/tcp_fast_begin.h"
#include "protocols/tcp/output/tcp_output.h"

#if XK_FAST_OUT

static inline int may_go(const struct tcp *t, const struct msg *m, uint32_t bytes)
{
	if (bytes - 1 >= TCP_FAST_BYTES || m->rest.bytes || !t->fast.ready)
		return 0;
	if (t->state != TCP_ESTABLISHED || t->queue.bytes || t->send_next != t->send_una ||
	    t->send_next != t->send_max)
		return 0;
	if (t->force || t->timer[TCP_PERSIST] || t->receive_space < t->segment_max)
		return 0;
	return bytes <= t->send_window && bytes <= t->congestion_window &&
	       bytes <= t->queue.limit && ref_read(&t->fast.bytes.front->refs) == 1;
}

static inline uint64_t text_of(const struct msg *m, uint32_t bytes)
{
	uint64_t text = 0;

	for (uint32_t i = 0; i < bytes; i++)
		text |= (uint64_t)m->head[i] << 8 * i;
	return text;
}

/* Until it is acknowledged: tcp_queue_append() with a copy. */
static inline void keep(struct tcp *t, uint64_t text, uint32_t bytes)
{
	struct tcp_chunk *c = &t->fast.chunk;
	struct msg *copy = &t->fast.bytes;

	*(tcp_quad *)(void *)copy->head = text;
	ref_up(&copy->front->refs);
	c->next = NULL;
	c->msg.front = copy->front;
	c->msg.head = c->msg.low = copy->head;
	c->msg.tail = copy->head + bytes;
	t->queue.first = c;
	t->queue.last = &c->next;
	t->queue.bytes = bytes;
	t->queue.chunks = 1;
}

/* Numbers, timers and window as output_one() and account() of tcp_output.c leave them. */
static inline uint32_t account(struct tcp *t, uint32_t bytes)
{
	uint32_t promised = t->receive_advertised - t->receive_next;
	uint32_t offer = t->receive_space;

	if (!t->rtt_ticks) {
		t->rtt_ticks = 1;
		t->rtt_sequence = t->send_next;
	}
	t->send_max = t->send_next += bytes;
	if (!t->timer[TCP_RETRANSMIT])
		t->timer[TCP_RETRANSMIT] = t->rto;
	if (offer < promised)
		offer = promised;
	t->ack_now = t->ack_delayed = 0;
	if (seq_lt(t->receive_advertised, t->receive_next + offer))
		t->receive_advertised = t->receive_next + offer;
	return offer;
}

static inline void put_frame(struct tcp *t, struct ip *ip, uint64_t w[8], uint64_t sequence,
			     uint64_t text, uint32_t bytes, uint32_t offer)
{
	struct tcp_fast *f = &t->fast;
	uint64_t length = (TCP_IP_BYTES + bytes) << 8, ident = swap16(ip->ident);
	uint64_t ack = tcp_fast_word(&f->next, t->receive_next);
	uint64_t third = TCP_HEADER_BYTES << 2 | (TCP_ACK | TCP_PSH) << 8 | swap16(offer) << 16;
	uint64_t check, sum;

	ip->ident = (ip->ident + 1) & 0xffff;
	check = checksum_fold(f->ip_sum + length + ident);
	sum = t->pseudo_sum + length - ((TCP_IP_BYTES - TCP_HEADER_BYTES) << 8);
	sum += t->template_ports + sequence + ack + third + tcp_fast_halves(text);
	w[0] = f->header[0];
	w[1] = f->header[1];
	w[2] = f->header[2] | length | ident << 16;
	w[3] = f->header[3] | check;
	w[4] = f->ports | sequence << 48;
	w[5] = sequence >> 16 | ack << 16 | third << 48;
	w[6] = third >> 16 | (uint64_t)checksum_fold(sum) << 16 | text << 48;
	w[7] = text >> 16;
}

int tcp_fast_push(struct xobj *s, struct msg *m)
{
	struct tcp *t = s->state;
	uint32_t bytes = (uint32_t)msg_front_bytes(m), offer;
	struct ip *ip;
	uint64_t frame[8], sequence, text;
	tcp_byte owed = t->ack_now | t->ack_delayed;
	int result;

	if (PREDICT_FALSE(!may_go(t, m, bytes)))
		return tcp_push(s, m);
	ip = s->down[0]->protocol->state;
	text = text_of(m, bytes);
	m->head = m->low = m->tail;
	keep(t, text, bytes);
	sequence = tcp_fast_word(&t->fast.max, t->send_max);
	offer = account(t, bytes);
	COUNT(tcp_counts, segments_sent);
	ip_counts.sent++;
	put_frame(t, ip, frame, sequence, text, bytes, offer);
	tcp_fast_word(&t->fast.max, t->send_max); /* of the ACK that we expect */
	result = lance_push_short(t->fast.driver, frame);
	if (PREDICT_FALSE(result < 0)) {
		COUNT(tcp_counts, transmit_full);
		t->ack_delayed = owed; /* the fast timer will try again */
	}
	return XK_OK;
}

#endif
