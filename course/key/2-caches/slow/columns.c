/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>

enum { ROWS = 64, COLUMNS = 64 };

/* By rows: the loads are good, but each sum is loaded and stored 64 times. */
void column_sums(uint64_t table[ROWS][COLUMNS], uint64_t sums[COLUMNS])
{
	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned column = 0; column < COLUMNS; column++)
			sums[column] += table[row][column];
}
