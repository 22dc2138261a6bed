/* SPDX-License-Identifier: BSD-2-Clause */
/* The eight queens. */
#include <stdio.h>
static int place(int row, unsigned columns, unsigned left, unsigned right)
{
	if (row == 8)
		return 1;
	int found = 0;
	for (unsigned free = ~(columns | left | right) & 255; free; free &= free - 1) {
		unsigned bit = free & -free;
		found += place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
	}
	return found;
}
int main(void)
{
	printf("%d\n", place(0, 0, 0, 0));
	return 0;
}
