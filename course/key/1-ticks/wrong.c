/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>

/* A borrow runs from a zero byte into a 1 above: 01 00 counts as two zeros. */
unsigned zeros(const uint8_t *data, unsigned bytes)
{
	const uint64_t *word = (const uint64_t *)data;
	unsigned found = 0;

	for (; bytes; bytes -= 8, word++) {
		uint64_t marks = (*word - 0x0101010101010101) & ~*word & 0x8080808080808080;

		found += (unsigned)((marks >> 7) * 0x0101010101010101 >> 56);
	}
	return found;
}
