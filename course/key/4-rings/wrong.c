/* SPDX-License-Identifier: BSD-2-Clause */
#include <mcpi_net.h>

enum { BYTES = 64, WINDOW = 8 };

/* Takes the number in the window for the number of the frame: later answers overwrite earlier
 * ones. */
void exchange(uint8_t frames[][BYTES], uint8_t answers[][BYTES], unsigned count)
{
	for (unsigned first = 0; first < count; first += WINDOW) {
		for (unsigned n = 0; n < WINDOW; n++)
			mcpi_frame_send(frames[first + n], BYTES);
		for (unsigned n = 0; n < WINDOW; n++)
			mcpi_frame_receive(answers[n], BYTES);
	}
}
