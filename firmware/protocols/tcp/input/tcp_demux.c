/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: from IP to a connection. */
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/output/tcp_output.h"
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

int tcp_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct tcp_protocol *p = self->state;
	struct tcp_segment g;
	struct passive_enable *listener;
	struct xobj *s;
	uint64_t key;

	if (PREDICT_FALSE(load_header(m, &g)))
		return XK_ERROR;
	if (PREDICT_FALSE(g.ip->destination != p->address)) {
		COUNT(tcp_counts, not_ours); /* broadcast: TCP talks to one (RFC 1122) */
		return XK_ERROR;
	}
	key = tcp_key(g.ip->source, g.ports);
	s = map_resolve(&p->active, &key, 1);
	if (PREDICT_TRUE(s))
		return xPop(s, lower, m, &g);
	key = g.ports >> 16;
	listener = map_resolve(&p->passive, &key, 1);
	if (listener)
		return tcp_listen_input(self, listener, lower, &g);
	tcp_reset(lower, &g);
	return XK_ERROR;
}
