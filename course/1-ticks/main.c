/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls zeros() of the hand-in on pieces of a packet, and prints what it says. */
#include <stdint.h>
#include <stdio.h>

unsigned zeros(const uint8_t *data, unsigned bytes);

enum { LONGEST = 1504 };

int main(void)
{
	static union {
		uint64_t words[LONGEST / 8];
		uint8_t bytes[LONGEST];
	} packet;
	static const unsigned lengths[] = { 0, 8, 64, 552, LONGEST };
	uint64_t random = 1;

	for (unsigned n = 0; n < LONGEST / 8; n++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		packet.words[n] = random & ((random >> 32) * 0x0101010101010101);
	}
	for (unsigned n = 0; n < sizeof lengths / sizeof *lengths; n++)
		printf("%u bytes: %u\n", lengths[n], zeros(packet.bytes, lengths[n]));
	return 0;
}
