/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>

/* A byte of the result is 1 for each byte of `word` that is 0, exactly: no carry leaves a byte. */
static inline uint64_t zero_bytes(uint64_t word)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7f;

	return ~(((word & low) + low) | word | low) >> 7;
}

/* Eight bytes a step, eight steps a turn of the loop; sums of bytes stay below 256. */
unsigned zeros(const uint8_t *data, unsigned bytes)
{
	const uint64_t *word = (const uint64_t *)data;
	uint64_t sums = 0;
	unsigned found = 0;

	for (; bytes >= 64; bytes -= 64, word += 8) {
		sums = zero_bytes(word[0]) + zero_bytes(word[1]) + zero_bytes(word[2]) +
		       zero_bytes(word[3]) + zero_bytes(word[4]) + zero_bytes(word[5]) +
		       zero_bytes(word[6]) + zero_bytes(word[7]);
		found += (unsigned)(sums * 0x0101010101010101 >> 56);
	}
	for (; bytes; bytes -= 8)
		found += (unsigned)(zero_bytes(*word++) * 0x0101010101010101 >> 56);
	return found;
}
