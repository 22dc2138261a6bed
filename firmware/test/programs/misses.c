/* SPDX-License-Identifier: BSD-2-Clause */
/* Misses that follow from hand arithmetic, with a D-cache of 8 KB and blocks of 32 bytes: 128 are
 * cold in fits; 512 are cold and 512 capacity misses in large; in pair two blocks displace each
 * other, 2 times cold and 198 times in conflict. */
#include <mcpi.h>
static unsigned char fits[4096], large[16384], pair[16384] __attribute__((aligned(8192)));

static inline void read_all(volatile unsigned char *from, unsigned bytes)
{
	for (unsigned at = 0; at < bytes; at += 32)
		mcpi_keep(from[at]);
}

int main(void)
{
	volatile unsigned char *two = pair;

	MCPI_MEASURE_AS("fits")
	{
		read_all(fits, sizeof fits);
		read_all(fits, sizeof fits);
	}
	MCPI_MEASURE_AS("large")
	{
		read_all(large, sizeof large);
		read_all(large, sizeof large);
	}
	MCPI_MEASURE_AS("pair")
	{
		for (int n = 0; n < 100; n++) {
			mcpi_keep(two[0]);
			mcpi_keep(two[8192]);
		}
	}
	return 0;
}
