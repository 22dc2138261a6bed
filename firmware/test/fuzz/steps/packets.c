/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/steps/steps.h"

#include <string.h>

#include "test/fuzz/steps/frames.h"
#include "test/host/peer.h"
#include "test/host/wire.h"

enum { NETWORK = 0x0a000000, IP_ROOM = 1480 };
uint32_t echo_asked;

static size_t size_of(const uint8_t *b)
{
	return (size_t)(b[0] << 8 | b[1]) % (IP_ROOM - 8);
}

/* A right checksum over data that isn't all zero. */
static void udp_checksum(uint8_t *udp, size_t bytes, uint32_t destination, uint8_t first)
{
	uint8_t pseudo[12] = { [9] = 17 };

	for (size_t i = 8; i < bytes; i++)
		udp[i] = (uint8_t)(i * 7 + first);
	put32(pseudo, NETWORK + peer_number);
	put32(pseudo + 4, destination);
	put16(pseudo + 10, (uint32_t)bytes);
	uint32_t sum = sum16(udp, bytes, sum16(pseudo, sizeof pseudo, 0));
	put16(udp + 6, sum == 0xffff ? sum : ~sum);
}

/* b[5]: what is wrong with it, or 4: a checksum; 5: sixteen from as many ports. */
void udp_step(const uint8_t *b)
{
	const uint16_t ports[] = { 7, 9, 0,
				   (uint16_t)(b[9] & 0x80 ? 1024 + b[9] % 8 : 5000 + b[9] % 8) };
	const uint32_t destination = b[8] == 1 ? 0x0a0000ff : KERNEL_IP;
	size_t bytes = 8 + size_of(b + 2);
	uint32_t length = (uint32_t)bytes;

	if (b[5] == 1)
		length += b[6];
	if (b[5] == 2)
		length = b[6];
	for (uint32_t n = 0; n < (b[5] == 5 ? 16 : 1); n++) {
		uint8_t frame[1514] = { 0 }, *udp = frame + 34;
		uint32_t from = 4000u + b[4] % 16;

		if (b[5] == 5)
			from += 16u * (b[6] % 8) + n;
		put16(udp, b[4] & 0x40 ? 7 : from);
		put16(udp + 2, ports[b[1] % 4]);
		put16(udp + 4, length);
		if (b[5] == 3)
			put16(udp + 6, 1u + b[6]); /* a wrong checksum; else none */
		if (b[5] == 4)
			udp_checksum(udp, bytes, destination, b[6]);
		peer_ip(frame, b[5] == 6 ? b[6] % 8 : bytes,
			(struct ip_fields){
			    .protocol = 17, .ident = b[7], .destination = destination });
	}
}

void icmp_step(const uint8_t *b)
{
	uint8_t frame[1514] = { 0 }, *icmp = frame + 34;
	size_t bytes = size_of(b + 2);

	icmp[0] = b[1] & 0x80 ? b[1] : b[1] & 1 ? 0 : 8;
	icmp[1] = b[4] == 1 ? b[5] : 0;
	memcpy(icmp + 4, b + 6, 4);
	if (b[1] & 2) { /* answers the last echo request */
		put32(icmp + 4, echo_asked);
		for (size_t i = 0; i < bytes; i++)
			icmp[8 + i] = (uint8_t)(i * 7 + (i >> 8));
	}
	put16(icmp + 2, (~sum16(icmp, 8 + bytes, 0) & 0xffff) ^ (b[4] == 2));
	if (icmp[0] == 8 && b[4] != 3)
		frames_asked(get32(icmp + 4), bytes);
	peer_ip(frame, b[4] == 3 ? b[5] % 8 : 8 + bytes,
		(struct ip_fields){ .protocol = 1, .ident = b[10] });
}

static uint8_t *arp_of(uint8_t frame[60], uint32_t operation, uint32_t sender, uint32_t target)
{
	uint8_t *a = frame + 14;

	memset(frame, 255, 6);
	memcpy(a, "\0\1\10\0\6\4", 6);
	put16(a + 6, operation);
	memcpy(a + 8, "\10\0\53\0\0", 5);
	a[13] = peer_number;
	put32(a + 14, sender);
	put32(a + 24, target);
	return a;
}

void arp_packet(uint32_t operation, uint32_t sender, uint32_t target)
{
	uint8_t frame[60] = { 0 };

	arp_of(frame, operation, sender, target);
	peer_ethernet(frame, sizeof frame, 0x0806);
}

void arp_step(const uint8_t *b)
{
	uint8_t frame[60] = { 0 };
	uint8_t *a = arp_of(frame, 1 + b[1] % 3u, NETWORK | (b[2] & 0x80 ? peer_number : b[2]),
			    b[3] & 0x80 ? KERNEL_IP : NETWORK | b[3]);

	if (b[4] == 1)
		a[b[5] % 28] = b[6];
	peer_ethernet(frame, b[4] == 2 ? 14 + b[5] % 28u : sizeof frame, 0x0806);
}

/* Pieces of one of four datagrams, so that now and then one becomes whole. */
void fragment_step(const uint8_t *b)
{
	static const uint8_t protocols[] = { 17, 1, 17, 101 };
	static const size_t sizes[] = { 200, 64, 3000, 512 };
	static uint32_t next[4]; /* in eights: where the last piece of each ended */
	uint8_t frame[1514] = { 0 }, whole[3008] = { 0 };
	uint32_t which = b[1] % 4, offset = b[2] & 0x80 ? b[2] & 0x7f : next[b[1] % 4];
	uint32_t units = b[3], more;
	size_t bytes = sizes[which], from, to;

	for (size_t i = 8; i < bytes && which != 3; i++)
		whole[i] = piece_byte(i);
	if (which == 1) {
		whole[0] = 8;
		put32(whole + 4, PIECES_IDENTIFIER);
		put16(whole + 2, ~sum16(whole, bytes, 0) & 0xffff);
		frames_asked(PIECES_IDENTIFIER, bytes - 8);
	} else {
		put16(whole, PIECES_PORT + which);
		put16(whole + 2, b[10] == 1 ? 5000 : 7);
		put16(whole + 4, (uint32_t)bytes);
	}
	from = (size_t)offset * 8;
	to = from + (size_t)(1 + units % 180) * 8;
	if (from > bytes)
		from = to = bytes;
	if (to > bytes)
		to = bytes;
	more = to < bytes;
	next[which] = more ? (uint32_t)(to / 8) : 0;
	if (b[4] == 1)
		more = !more;
	if (b[4] == 2)
		to -= b[5] % 8u < to - from ? b[5] % 8u : 0;
	if (b[4] == 3)
		offset = (uint32_t)b[5] << 5 | b[6];
	memcpy(frame + 34, whole + from, to - from);
	if (b[7] == 1)
		frame[34] ^= b[8]; /* an overlap that says something else */
	if (b[7] == 1 || b[4] == 3)
		frames_piece_differs(which);
	peer_ip(frame, to - from,
		(struct ip_fields){ .protocol = protocols[which],
				    .ident = b[9] & 0x80 ? b[9] : which,
				    .fragment = (more ? 0x2000 : 0) | offset });
}

/* Bytes of the program in a frame of some type, in a short frame, or behind an IP header. */
void raw_step(const uint8_t *b)
{
	static const uint16_t types[] = { 0x0806, 0x0800, 0x88b5, 0x0100 };
	uint8_t frame[1514] = { 0 };

	for (int i = 0; i < 400; i++)
		frame[34 + i] = b[4 + i % 12];
	if (b[1] & 2) {
		peer_frame(frame, b[2] % 14u);
	} else if (b[1] & 1) {
		memcpy(frame + 14, b, 16);
		peer_ethernet(frame, b[2] % 61, types[b[3] % 4]);
	} else {
		if (b[3] == 1)
			frames_asked_blindly();
		peer_ip(frame, b[2],
			(struct ip_fields){ .protocol = b[3] & 0x80   ? 101
							: b[3] & 0x40 ? 205
								      : b[3] });
	}
}
