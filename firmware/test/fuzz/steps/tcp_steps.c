/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/bins.h"
#include "test/fuzz/check.h"
#include "test/fuzz/steps/known.h"
#include "test/fuzz/steps/steps.h"
#include "test/host/peer.h"

void tcp_step(const uint8_t *b)
{
	static uint8_t data[1460];
	uint32_t sequence = known.peer_next + known_distance(b[2]), flags = b[1] & 0x3f;
	size_t bytes = b[4] < 128 ? b[4] : (size_t)(b[4] - 128) * 11;

	if (twist.offset_words > 5)
		bytes = 0; /* it would begin elsewhere */
	if (bytes > sizeof data)
		bytes = sizeof data;
	if (b[7] & 2 && bytes > known.edge - sequence) /* no more than is offered */
		bytes = known.edge - sequence;
	if (b[1] & 0x40)
		flags = A;
	if (b[1] & 0x80)
		flags = A | P;
	for (size_t i = 0; i < bytes; i++)
		data[i] = stream_byte(peer_initial + sequence + !!(flags & S) + (uint32_t)i);
	peer_window = b[5] ? (uint32_t)b[5] * 256 : PEER_WINDOW;
	if (b[6] == 1)
		peer_window = 0;
	bins_of_segment(flags, sequence, known.kernel_next + known_distance(b[3]), (uint32_t)bytes);
	peer_tcp(flags, sequence, known.kernel_next + known_distance(b[3]), data, bytes);
	if (b[2] == 0 && !(b[7] & 1))
		known.peer_next += (uint32_t)bytes + !!(flags & S) + !!(flags & F);
}

void twisted_tcp_step(const uint8_t *b)
{
	twist.bad_ip_checksum = b[8] == 1;
	twist.bad_tcp_checksum = b[8] == 2;
	twist.version = b[8] == 3 ? b[9] & 15 : 0;
	twist.header_words = b[8] == 4 ? b[9] & 15 : 0;
	twist.total_delta = b[8] == 5 ? (int8_t)b[9] : 0;
	twist.ttl_zero = b[8] == 6;
	twist.destination = b[8] == 7 ? 0x0a000000u | b[9] : 0;
	twist.source = b[8] == 8 ? 0x0a000000u | b[9] : 0;
	twist.protocol = b[8] == 9 ? b[9] : 0;
	twist.fragment = b[8] == 10 ? b[9] << 8 | b[10] : 0;
	twist.offset_words = b[8] == 11 ? b[9] & 15 : 0;
	twist.to_broadcast = b[8] == 12;
	twist.ethertype = b[8] == 13 ? b[9] << 8 | b[10] : 0;
	twist.cut = b[8] == 14 ? b[9] % 54 : 0;
	twist.port = b[8] == 15 ? b[9] : 0;
	twist.from_port = b[8] == 16 ? b[9] : 0;
	twist.frame_padding = b[8] == 17 ? b[9] % 100 : 0;
	twist.tcp_options = (const char *)b + 4;
	twist.tcp_option_bytes = b[8] >= 18 && b[8] < 64 ? (b[9] & 3) * 4u : 0;
	twist.ip_options = (const char *)b + 4;
	twist.ip_option_bytes = b[8] >= 64 && b[8] < 128 ? (b[9] & 3) * 4u : 0;
	tcp_step(b);
}
