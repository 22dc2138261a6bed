/* SPDX-License-Identifier: BSD-2-Clause */
/* The peer's segments. */
#include "protocols/mpdriver/peer/mppeer_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

int mppeer_make(struct mppeer_frame *f, size_t bytes)
{
	size_t all = TCP_HEADER_BYTES + bytes;
	uint8_t *data;

	f->header = (struct tcp_header *)mpdriver_frame(&f->m, TCP_PROTOCOL, all);
	if (!f->header)
		return XK_NO_MEMORY;
	data = (uint8_t *)(f->header + 1);
	for (size_t i = 0; i < bytes; i++)
		data[i] = (uint8_t)i;
	f->sum = mpdriver_pseudo_sum(TCP_PROTOCOL, all);
	f->sum = checksum_add(f->sum, data, bytes);
	return XK_OK;
}

/* The window is the largest that there is, and never changes. */
static void fill(struct tcp_header *h, const struct mppeer_connection *c, uint32_t sequence,
		 uint32_t ack, uint32_t flags, uint32_t bytes)
{
	h->ports = c->ports;
	h->sequence = swap32(sequence);
	h->ack = swap32(ack);
	h->offset_flags_window = bytes << 2 | flags << 8 | 0xffffu << 16;
	h->checksum_urgent = 0;
}

/* A copy goes up that shares the bytes. */
static int demux(struct msg *frame)
{
	struct msg m;
	int result;

	msg_share(&m, frame);
	result = xDemux(mppeer.session, &m);
	msg_destroy(&m);
	return result;
}

int mppeer_up(struct mppeer_frame *f, const struct mppeer_connection *c, uint32_t sequence,
	      uint32_t ack, uint32_t flags)
{
	struct tcp_header *h = f->header;

	fill(h, c, sequence, ack, flags, TCP_HEADER_BYTES);
	h->checksum_urgent = checksum_fold(checksum_add(f->sum, h, TCP_HEADER_BYTES));
	return demux(&f->m);
}

/* Says how long TCP's segments may be. */
int mppeer_syn(const struct mppeer_connection *c, uint32_t ack, uint32_t flags)
{
	const size_t all = TCP_HEADER_BYTES + TCP_OPTION_BYTES;
	uint64_t sum = mpdriver_pseudo_sum(TCP_PROTOCOL, all);
	struct tcp_header *h;
	struct msg m;
	int result;

	h = (struct tcp_header *)mpdriver_frame(&m, TCP_PROTOCOL, all);
	if (!h)
		return XK_NO_MEMORY;
	fill(h, c, MPPEER_INITIAL, ack, flags, (uint32_t)all);
	*(uint32_t *)(void *)(h + 1) =
	    TCP_OPTION_SEGMENT_MAX | TCP_OPTION_BYTES << 8 | swap16((uint32_t)mppeer.bytes) << 16;
	h->checksum_urgent = checksum_fold(checksum_add(sum, h, all));
	result = demux(&m);
	msg_destroy(&m);
	return result;
}
