/* SPDX-License-Identifier: BSD-2-Clause */
/* Two arrays of 2 KB fit into a D-cache of 8 KB. Do they? The sum of products, with the arrays one
 * behind the other, and a cache's size apart. */
#include <mcpi.h>

enum { COUNT = 256, CACHE = 8192 };

static long memory[2 * CACHE / sizeof(long)];

static long product(const long *a, const long *b)
{
	long sum = 0;

	for (int n = 0; n < COUNT; n++)
		sum += a[n] & b[n];
	return sum;
}

int main(void)
{
	const long *near = memory + COUNT, *far = memory + CACHE / sizeof(long);

	mcpi_keep(product(memory, near));
	MCPI_MEASURE_AS("side by side")
	mcpi_keep(product(memory, near));
	mcpi_keep(product(memory, far));
	MCPI_MEASURE_AS("8 KB apart")
	mcpi_keep(product(memory, far));
	return 0;
}
