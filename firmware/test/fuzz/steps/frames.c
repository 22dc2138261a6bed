/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/steps/frames.h"

#include "test/fuzz/steps/known.h"
#include "test/fuzz/steps/steps.h"
#include "test/host/right_edge.h"
#include "test/host/wire.h"

enum { ICMP = 1, TCP = 6, UDP = 17, BLAST = 101, BIDCTL = 205 };
enum { MORE = 0x2000, OFFSET = 0x1fff, ASKED = 64 };

static struct {
	uint32_t identifier_sequence;
	size_t bytes;
} asked[ASKED];
static int all_asked, probes_blindly;
static uint8_t differs[PIECES_DATAGRAMS];

uint8_t piece_byte(size_t place)
{
	return (uint8_t)(place * 5 + (place >> 8) + 3);
}

void frames_piece_differs(uint32_t which)
{
	differs[which] = 1;
}

void frames_asked(uint32_t identifier_sequence, size_t bytes)
{
	asked[all_asked % ASKED].identifier_sequence = identifier_sequence;
	asked[all_asked++ % ASKED].bytes = bytes;
}

void frames_asked_blindly(void)
{
	probes_blindly = 1;
}

static uint32_t pseudo_sum(const uint8_t *ip, size_t bytes)
{
	return sum16(ip + 12, 8, ip[9] + (uint32_t)bytes);
}

static const char *wrong_places(const uint8_t *b, size_t from, size_t bytes, uint32_t which)
{
	for (size_t i = from < 8 ? 8 - from : 0; i < bytes && !differs[which]; i++)
		if (b[i] != piece_byte(from + i))
			return "a byte of a datagram in pieces is not where it was";
	return NULL;
}

static const char *icmp_fault(const uint8_t *b, size_t bytes)
{
	int known_one = 0, as_long = 0;

	if (bytes < 8 || sum16(b, bytes, 0) != 0xffff)
		return "ICMP's checksum";
	if (b[0] || probes_blindly)
		return NULL;
	uint32_t identifier_sequence = known_get(b + 4, 4);
	for (int i = 0; i < all_asked && i < ASKED; i++) {
		if (asked[i].identifier_sequence != identifier_sequence)
			continue;
		known_one = 1;
		as_long |= asked[i].bytes == bytes - 8;
	}
	if (known_one && !as_long)
		return "an echo longer or shorter than its request";
	return identifier_sequence == PIECES_IDENTIFIER ? wrong_places(b, 0, bytes, 1) : NULL;
}

static const char *tcp_fault(const uint8_t *ip, const uint8_t *b, size_t bytes)
{
	if (bytes < 20 || sum16(b, bytes, pseudo_sum(ip, bytes)) != 0xffff)
		return "TCP's checksum";
	if ((b[12] >> 4) * 4u < 20 || (b[12] >> 4) * 4u > bytes)
		return "TCP's offset";
	return right_edge_of_frame(ip);
}

static const char *udp_fault(const uint8_t *ip, const uint8_t *b, size_t bytes)
{
	if (bytes < 8 || known_get(b + 4, 2) != bytes)
		return "UDP's length";
	if (!known_get(b + 6, 2))
		return udp_user_sends_no_checksum(known_get(b, 2)) ? NULL : "UDP without checksum";
	return sum16(b, bytes, pseudo_sum(ip, bytes)) == 0xffff ? NULL : "UDP's checksum";
}

/* A UDP datagram or its piece, when what it answers came in pieces. */
static const char *pieces_fault(const uint8_t *ip, const uint8_t *b, size_t from, size_t bytes)
{
	static uint32_t ident = ~0u, which; /* the datagram on its way */

	if (!from) {
		uint32_t n = known_get(b + 2, 2) - PIECES_PORT;

		ident = n < PIECES_DATAGRAMS ? known_get(ip + 4, 2) : ~0u;
		which = n;
	}
	return ident == known_get(ip + 4, 2) ? wrong_places(b, from, bytes, which) : NULL;
}

const char *frame_fault(const struct host_frame *f)
{
	const uint8_t *ip = f->data + 14, *b = ip + 20;
	uint32_t total = known_get(ip + 2, 2), fragment = known_get(ip + 6, 2);
	size_t bytes, from = (size_t)(fragment & OFFSET) * 8;
	const char *fault = NULL;

	if (f->bytes < 60 || f->bytes > 1514)
		return "a frame too short or too long";
	if (known_get(f->data + 12, 2) != 0x0800)
		return NULL;
	if (ip[0] != 0x45 || sum16(ip, 20, 0) != 0xffff || total < 20 || 14 + total > f->bytes)
		return "IP's header";
	if (known_get(ip + 12, 4) != KERNEL_IP || !ip[8])
		return "IP's source or time to live";
	bytes = total - 20;
	if (ip[9] == UDP && bytes >= 8)
		fault = pieces_fault(ip, b, from, bytes);
	if (fault)
		return fault;
	if (fragment & (MORE | OFFSET))
		return fragment & MORE && bytes % 8 ? "a piece that is no multiple of 8" : NULL;
	switch (ip[9]) {
	case ICMP:
		return icmp_fault(b, bytes);
	case TCP:
		return tcp_fault(ip, b, bytes);
	case UDP:
		return udp_fault(ip, b, bytes);
	case BLAST:
		return bytes < 24 ? "BLAST's header" : NULL;
	case BIDCTL:
		return bytes != 20 || sum16(b, bytes, 0) != 0xffff ? "BIDCTL's checksum" : NULL;
	default:
		return NULL;
	}
}
