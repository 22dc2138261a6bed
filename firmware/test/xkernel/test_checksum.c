/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "test/host/case.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

/* RFC 1071 as written: 16-bit big-endian words one by one. */
static uint32_t slow(const uint8_t *p, size_t bytes)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < bytes; i++) {
		sum += i & 1 ? p[i] : (uint32_t)p[i] << 8;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return ~sum & 0xffff;
}

static void fill(uint8_t *p, size_t bytes, uint64_t seed)
{
	while (bytes--) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		*p++ = (uint8_t)(seed >> 56);
	}
}

CASE(checksum_rfc_example)
{
	/* RFC 1071 section 3: the words 0001 f203 f4f5 f6f7 sum to ddf2. */
	static const uint8_t words[]
	    __attribute__((aligned(8))) = { 0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7 };

	CHECK_EQUAL(swap16(checksum_fold(checksum_add(0, words, 8))), 0xffff & ~0xddf2u);
}

CASE(checksum_every_length_and_alignment)
{
	static uint8_t bytes[256] __attribute__((aligned(16)));

	fill(bytes, sizeof bytes, 1);
	for (size_t start = 0; start < 16; start++)
		for (size_t n = 0; n < 200; n++)
			CHECK_EQUAL(swap16(checksum_fold(checksum_add(0, bytes + start, n))),
				    slow(bytes + start, n));
}

CASE(checksum_all_ones_and_zeroes)
{
	static uint8_t bytes[1500] __attribute__((aligned(16)));

	CHECK_EQUAL(checksum_fold(checksum_add(0, bytes, sizeof bytes)), 0xffff);
	memset(bytes, 0xff, sizeof bytes);
	CHECK_EQUAL(checksum_fold(checksum_add(0, bytes, sizeof bytes)), 0);
	CHECK_EQUAL(checksum_fold(UINT64_MAX), 0);
}

CASE(checksum_pieces_of_odd_length)
{
	uint8_t bytes[300];

	fill(bytes, sizeof bytes, 2);
	for (size_t cut = 1; cut < 299; cut += 7) {
		struct msg m, b;

		CHECK_EQUAL(msg_init_copy(&m, bytes, cut), 0);
		CHECK_EQUAL(msg_init_copy(&b, bytes + cut, 300 - cut), 0);
		CHECK_EQUAL(msg_join(&m, &b), 0);
		CHECK_EQUAL(msg_join(&m, &m), 0);
		msg_truncate(&m, 300);
		CHECK_EQUAL(swap16(checksum_fold(checksum_add_msg(0, &m))), slow(bytes, 300));
		msg_destroy(&m);
		msg_destroy(&b);
	}
}
