/* SPDX-License-Identifier: BSD-2-Clause */
/* A segment's header: what tcp_demux asks first, whichever locks it takes. */
#pragma once

#include "protocols/tcp/tcp_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

/* The peer's maximum segment size, or 0. Stops at the first malformed option. */
static uint32_t segment_max_option(const uint8_t *option, uint32_t bytes)
{
	while (bytes && *option != TCP_OPTION_END) {
		uint32_t length = 1;

		if (*option != TCP_OPTION_NONE) {
			if (bytes < 2 || option[1] < 2 || option[1] > bytes)
				return 0;
			length = option[1];
			if (*option == TCP_OPTION_SEGMENT_MAX && length == 4)
				return (uint32_t)option[2] << 8 | option[3];
		}
		option += length;
		bytes -= length;
	}
	return 0;
}

/* Pops and checks the header. 0: it is fine. */
static int load_header(struct msg *m, struct tcp_segment *g)
{
	const struct ip_info *ip = m->attribute;
	uint32_t total = (uint32_t)msg_bytes(m), header_bytes, third;
	const struct tcp_header *h;
	uint64_t sum;

	COUNT(tcp_counts, segments_received);
	if (PREDICT_FALSE(total < TCP_HEADER_BYTES)) {
		COUNT(tcp_counts, too_short);
		return -1;
	}
	sum = (uint64_t)ip->source + ip->destination + swap16(TCP_PROTOCOL) + swap16(total);
	if (XK_MP_CHECKSUM && PREDICT_FALSE(checksum_fold(checksum_add_msg(sum, m)) != 0)) {
		COUNT(tcp_counts, bad_checksum);
		return -1;
	}
	h = msg_pop(m, TCP_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		COUNT(tcp_counts, no_memory);
		return -1;
	}
	third = h->offset_flags_window;
	header_bytes = third >> 2 & 0x3c;
	g->ip = ip;
	g->ports = h->ports;
	g->sequence = swap32(h->sequence);
	g->ack = swap32(h->ack);
	g->flags = third >> 8 & 0x3f;
	g->window = swap16(third >> 16) << TCP_WINDOW_SHIFT;
	g->segment_max = 0;
	if (PREDICT_FALSE(header_bytes < TCP_HEADER_BYTES || header_bytes > total)) {
		COUNT(tcp_counts, bad_offset);
		return -1;
	}
	g->bytes = total - header_bytes;
	if (PREDICT_FALSE(header_bytes > TCP_HEADER_BYTES)) {
		const uint8_t *options = msg_pop(m, header_bytes - TCP_HEADER_BYTES);

		if (!options) {
			COUNT(tcp_counts, no_memory);
			return -1;
		}
		if (g->flags & TCP_SYN)
			g->segment_max =
			    segment_max_option(options, header_bytes - TCP_HEADER_BYTES);
	}
	return 0;
}
