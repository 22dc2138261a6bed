/* SPDX-License-Identifier: BSD-2-Clause */
#include <mcpi_net.h>

enum { BYTES = 64 };

/* The answer comes before the next frame goes: the wire is idle while a machine works. */
void exchange(uint8_t frames[][BYTES], uint8_t answers[][BYTES], unsigned count)
{
	while (count--) {
		mcpi_frame_send(*frames++, BYTES);
		mcpi_frame_receive(*answers++, BYTES);
	}
}
