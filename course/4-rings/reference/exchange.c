/* SPDX-License-Identifier: BSD-2-Clause */
#include <mcpi_net.h>

enum { BYTES = 64 };

/* Sends the frames, and leaves the answer to each in its place. */
void exchange(uint8_t frames[][BYTES], uint8_t answers[][BYTES], unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		mcpi_frame_send(frames[n], BYTES);
		mcpi_frame_receive(answers[n], BYTES);
	}
}
