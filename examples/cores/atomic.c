/* SPDX-License-Identifier: BSD-2-Clause */
/* The same count as in lock.c without a lock: by an atomic addition, and by a loop around compare
 * and swap. */
#include <mcpi.h>
#include <stdio.h>

enum { COUNTS = 400 };

static uint64_t count __attribute__((aligned(MCPI_BLOCK)));

static void adds(int times)
{
	for (int n = 0; n < times; n++)
		mcpi_atomic_add(&count, 1);
}

static void swaps(int times)
{
	for (int n = 0; n < times; n++) {
		uint64_t seen;

		do
			seen = *(volatile uint64_t *)&count;
		while (!mcpi_compare_swap(&count, seen, seen + 1));
	}
}

static void all(void *times)
{
	mcpi_barrier();
	MCPI_MEASURE_AS("add")
	{
		adds(*(int *)times);
		mcpi_barrier();
	}
	MCPI_MEASURE_AS("compare and swap")
	{
		swaps(*(int *)times);
		mcpi_barrier();
	}
}

int main(void)
{
	int times = COUNTS / mcpi_cores();

	adds(COUNTS);
	MCPI_MEASURE_AS("add, one core")
	adds(COUNTS);
	mcpi_on_all_cores(all, &times);
	printf("%d cores: %lu\n", mcpi_cores(), count);
	return count == 2UL * COUNTS + 2UL * times * mcpi_cores() ? 0 : 1;
}
