/* SPDX-License-Identifier: BSD-2-Clause */
/* The Internet's checksum of a packet of 1,500 bytes: by 16-bit words, as its definition says, and
 * by quadwords. The machine has no load of less than four bytes. */
#include <assert.h>
#include <mcpi.h>
#include <stdint.h>

enum { BYTES = 1496 };

static union {
	uint16_t words[BYTES / 2];
	uint64_t quads[BYTES / 8];
} packet;

static uint16_t folded(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

__attribute__((noinline)) static uint16_t by_words(void)
{
	uint32_t sum = 0;

	for (int n = 0; n < BYTES / 2; n++)
		sum += packet.words[n];
	return folded(sum);
}

__attribute__((noinline)) static uint16_t by_quads(void)
{
	uint64_t sum = 0;

	for (int n = 0; n < BYTES / 8; n++) {
		sum += packet.quads[n];
		sum += sum < packet.quads[n]; /* the carry */
	}
	return folded(sum);
}

int main(void)
{
	uint16_t words, quads;

	for (int n = 0; n < BYTES / 2; n++)
		packet.words[n] = (uint16_t)(n * 40503);
	by_quads(); /* the packet is in the cache */
	MCPI_MEASURE_AS("by words")
	words = by_words();
	MCPI_MEASURE_AS("by quadwords")
	quads = by_quads();
	assert(words == quads);
	return 0;
}
