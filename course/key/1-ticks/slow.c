/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>

/* Loads go by words, but each byte still has a step of its own, and its taken branch. */
unsigned zeros(const uint8_t *data, unsigned bytes)
{
	const uint64_t *word = (const uint64_t *)data;
	unsigned found = 0;

	for (; bytes; bytes -= 8, word++)
		for (unsigned shift = 0; shift < 64; shift += 8)
			found += (*word >> shift & 0xff) == 0;
	return found;
}
