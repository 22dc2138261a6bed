/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>

enum { ROWS = 64, COLUMNS = 64 };

/* The sums of the rows. */
void column_sums(uint64_t table[ROWS][COLUMNS], uint64_t sums[COLUMNS])
{
	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned column = 0; column < COLUMNS; column++)
			sums[row] += table[row][column];
}
