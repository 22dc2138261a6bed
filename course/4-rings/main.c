/* SPDX-License-Identifier: BSD-2-Clause */
/* Has exchange() of the hand-in send 24 frames to the peer and collect its answers, and prints
 * them. */
#include <mcpi.h>
#include <mcpi_net.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 24, BYTES = 64, HEADER = 14 };

void exchange(uint8_t frames[][BYTES], uint8_t answers[][BYTES], unsigned count);

int main(void)
{
	static uint8_t frames[FRAMES][BYTES], answers[FRAMES][BYTES];
	uint8_t own[6], peers[6];

	if (mcpi_net_open())
		return 1;
	mcpi_address(own, peers);
	for (unsigned n = 0; n < FRAMES; n++) {
		memcpy(frames[n], peers, 6);
		memcpy(frames[n] + 6, own, 6);
		frames[n][12] = 0x88, frames[n][13] = 0xb5; /* IEEE 802: for experiments */
		for (unsigned at = HEADER; at < BYTES; at++)
			frames[n][at] = (uint8_t)(n * 7 + at);
	}
	while (mcpi_ticks() < 400000) /* until the peer listens */
		;
	exchange(frames, answers, FRAMES);
	for (unsigned n = 0; n < FRAMES; n++) {
		unsigned sum = 0;

		for (unsigned at = HEADER; at < BYTES; at++)
			sum = sum * 31 + answers[n][at];
		printf("%u: %08x\n", n, sum);
	}
	return 0;
}
