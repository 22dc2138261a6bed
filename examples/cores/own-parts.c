/* SPDX-License-Identifier: BSD-2-Clause */
/* Every core adds up a part of the numbers. Does it matter where each keeps its sum? */
#include <mcpi.h>
#include <stdio.h>

enum { NUMBERS = 1 << 14, MOST_CORES = 8 };

static long numbers[NUMBERS];
static volatile long together[MOST_CORES]; /* in one block of the b-cache */
static struct {
	volatile long sum;
} __attribute__((aligned(MCPI_BLOCK))) apart[MOST_CORES];

static void add(volatile long *sum, int from, int to)
{
	for (int n = from; n < to; n++)
		*sum += numbers[n];
}

static void parts(void *unused)
{
	int me = mcpi_core(), part = NUMBERS / mcpi_cores();

	(void)unused;
	add(&apart[me].sum, part * me, part * (me + 1)); /* its part is in its b-cache now */
	mcpi_barrier();
	MCPI_MEASURE_AS("sums apart")
	{
		add(&apart[me].sum, part * me, part * (me + 1));
		mcpi_barrier();
	}
	MCPI_MEASURE_AS("sums together")
	{
		add(&together[me], part * me, part * (me + 1));
		mcpi_barrier();
	}
}

int main(void)
{
	long sum = 0;

	for (int n = 0; n < NUMBERS; n++)
		numbers[n] = n;
	MCPI_MEASURE_AS("one core")
	add(&together[0], 0, NUMBERS);
	together[0] = 0;
	mcpi_on_all_cores(parts, 0);
	for (int n = 0; n < mcpi_cores(); n++)
		sum += together[n];
	printf("%d cores: %ld\n", mcpi_cores(), sum);
	return 0;
}
