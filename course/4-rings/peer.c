/* SPDX-License-Identifier: BSD-2-Clause */
/* The other machine: answers each frame with the frame, 1 added to each byte behind the header. */
#include <mcpi_net.h>
#include <string.h>

enum { FRAMES = 24, BYTES = 64, HEADER = 14 };

int main(void)
{
	uint8_t frame[BYTES], own[6], peers[6];

	if (mcpi_net_open())
		return 1;
	mcpi_address(own, peers);
	for (unsigned n = 0; n < FRAMES; n++) {
		mcpi_frame_receive(frame, sizeof frame);
		memcpy(frame, peers, 6);
		memcpy(frame + 6, own, 6);
		for (unsigned at = HEADER; at < BYTES; at++)
			frame[at]++;
		mcpi_frame_send(frame, sizeof frame);
	}
	return 0;
}
