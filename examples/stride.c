/* SPDX-License-Identifier: BSD-2-Clause */
/* 1,024 loads from 32 KB, that is from the b-cache, with a step of 8 bytes up to 256: what is a
 * block of 32 bytes worth? */
#include <mcpi.h>

enum { LOADS = 1024, QUADS = 4096 };

static long memory[QUADS];
static volatile long others[1024];

static long walk(int step)
{
	long sum = 0;

	for (int n = 0, at = 0; n < LOADS; n++) {
		sum += memory[at];
		at = (at + step) & (QUADS - 1);
	}
	return sum;
}

/* Nothing of `memory` stays in the D-cache. */
static void evict(void)
{
	for (int n = 0; n < 1024; n++)
		mcpi_keep(others[n]);
}

int main(void)
{
	for (int n = 0; n < QUADS; n++)
		memory[n] = n;
	evict();
	MCPI_MEASURE_AS("8 bytes")
	mcpi_keep(walk(1));
	evict();
	MCPI_MEASURE_AS("16 bytes")
	mcpi_keep(walk(2));
	evict();
	MCPI_MEASURE_AS("32 bytes")
	mcpi_keep(walk(4));
	evict();
	MCPI_MEASURE_AS("64 bytes")
	mcpi_keep(walk(8));
	evict();
	MCPI_MEASURE_AS("256 bytes")
	mcpi_keep(walk(32));
	return 0;
}
