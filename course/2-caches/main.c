/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills a table, has column_sums() of the hand-in add it up, and prints the sums. */
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 64, COLUMNS = 64 };

void column_sums(uint64_t table[ROWS][COLUMNS], uint64_t sums[COLUMNS]);

static uint64_t table[ROWS][COLUMNS], sums[COLUMNS];

int main(void)
{
	uint64_t random = 1;

	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned column = 0; column < COLUMNS; column++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			table[row][column] = random >> 40;
		}
	column_sums(table, sums);
	for (unsigned column = 0; column < COLUMNS; column++)
		printf("%u: %lu\n", column, sums[column]);
	return 0;
}
