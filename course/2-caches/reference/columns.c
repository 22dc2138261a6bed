/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>

enum { ROWS = 64, COLUMNS = 64 };

/* The sum of each column of the table. */
void column_sums(uint64_t table[ROWS][COLUMNS], uint64_t sums[COLUMNS])
{
	for (unsigned column = 0; column < COLUMNS; column++) {
		sums[column] = 0;
		for (unsigned row = 0; row < ROWS; row++)
			sums[column] += table[row][column];
	}
}
