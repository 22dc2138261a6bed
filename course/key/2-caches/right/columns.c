/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>

enum { ROWS = 64, COLUMNS = 64 };

/* Four columns at once: each block of 32 bytes is loaded once for all of them. */
void column_sums(uint64_t table[ROWS][COLUMNS], uint64_t sums[COLUMNS])
{
	for (unsigned column = 0; column < COLUMNS; column += 4) {
		uint64_t a = 0, b = 0, c = 0, d = 0;

		for (unsigned row = 0; row < ROWS; row++) {
			a += table[row][column];
			b += table[row][column + 1];
			c += table[row][column + 2];
			d += table[row][column + 3];
		}
		sums[column] = a;
		sums[column + 1] = b;
		sums[column + 2] = c;
		sums[column + 3] = d;
	}
}
