/* SPDX-License-Identifier: BSD-2-Clause */
/* The peer that sends. */
#include "protocols/mpdriver/peer/mppeer_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/percpu/percpu.h"

int mppeer_connect(unsigned k, uint16_t port)
{
	struct mppeer_connection *c = &mppeer_connections[k];
	int result;

	c->ports = swap16(MPPEER_PORT + k) | swap16(port) << 16;
	atomic_write(&c->next, MPPEER_INITIAL + 1);
	atomic_write(&c->edge, MPPEER_INITIAL + 1);
	result = mppeer_syn(c, 0, TCP_SYN);
	if (result != XK_OK)
		return result;
	return mppeer_up(&mppeer_own[percpu_number()].answer, c, MPPEER_INITIAL + 1,
			 (uint32_t)atomic_read(&c->highest), TCP_ACK);
}

void mppeer_ack_input(struct mppeer_connection *c, const struct tcp_header *h)
{
	uint32_t window = swap16(h->offset_flags_window >> 16) << TCP_WINDOW_SHIFT;

	COUNT(mppeer_counts, acks_received);
	mppeer_later(&c->edge, swap32(h->ack) + window);
}

/* A segment that nobody else has, with its place in the stream. */
static int fresh(const struct mppeer_connection *c, uint32_t sequence)
{
	struct mppeer_frame f;
	uint8_t *data;
	int result;

	if (mppeer_make(&f, mppeer.bytes))
		return XK_NO_MEMORY;
	data = (uint8_t *)(f.header + 1);
	*(uint64_t *)(void *)data = sequence - (MPPEER_INITIAL + 1);
	f.sum = mpdriver_pseudo_sum(TCP_PROTOCOL, TCP_HEADER_BYTES + mppeer.bytes);
	f.sum = checksum_add(f.sum, data, mppeer.bytes);
	result = mppeer_up(&f, c, sequence, (uint32_t)atomic_read(&c->highest), TCP_ACK);
	msg_destroy(&f.m);
	return result;
}

int mppeer_receive(unsigned k)
{
	struct mppeer_connection *c = &mppeer_connections[k];
	uint64_t next, end;

	do {
		next = atomic_look(&c->next);
		end = (uint32_t)(next + mppeer.bytes);
		if (mppeer_before(atomic_look(&c->edge), end))
			return XK_WOULD_BLOCK;
	} while (!atomic_compare_swap(&c->next, next, end));
	COUNT(mppeer_counts, sent);
	if (mppeer.fresh)
		return fresh(c, (uint32_t)next);
	return mppeer_up(&mppeer_own[percpu_number()].data, c, (uint32_t)next,
			 (uint32_t)atomic_read(&c->highest), TCP_ACK);
}
