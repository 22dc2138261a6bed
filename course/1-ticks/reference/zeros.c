/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>

/* How many of the bytes are 0. `data` is a multiple of 8, and so is `bytes`. */
unsigned zeros(const uint8_t *data, unsigned bytes)
{
	unsigned found = 0;

	for (unsigned n = 0; n < bytes; n++)
		if (data[n] == 0)
			found++;
	return found;
}
