/* SPDX-License-Identifier: BSD-2-Clause */
/* All cores count in one word, under a lock. What does a lock cost when others want it too? */
#include <mcpi.h>
#include <stdio.h>

enum { COUNTS = 400 };

static struct mcpi_lock lock;
static long count;

static void counts(int times)
{
	for (int n = 0; n < times; n++) {
		mcpi_lock(&lock);
		count++;
		mcpi_unlock(&lock);
	}
}

static void all(void *times)
{
	mcpi_barrier();
	MCPI_MEASURE_AS("all cores")
	{
		counts(*(int *)times);
		mcpi_barrier();
	}
}

int main(void)
{
	int times = COUNTS / mcpi_cores();

	counts(COUNTS);
	MCPI_MEASURE_AS("one core")
	counts(COUNTS);
	mcpi_on_all_cores(all, &times);
	printf("%d cores: %ld\n", mcpi_cores(), count);
	return count == 2 * COUNTS + times * mcpi_cores() ? 0 : 1;
}
