/* SPDX-License-Identifier: BSD-2-Clause */
/* Two marked places, one of which is passed three times. */
#include <mcpi.h>
#include <stdio.h>

static int numbers[1000];

__attribute__((noinline)) static int sum(int count)
{
	int found = 0, n;

	for (n = 0; n < count; n++)
		found += numbers[n];
	return found;
}

int main(void)
{
	int n, pass, found = 0;

	MCPI_MEASURE_AS("fill")
	{
		for (n = 0; n < 1000; n++)
			numbers[n] = n;
	}
	for (pass = 1; pass <= 3; pass++)
		MCPI_MEASURE
		{
			found += sum(100 * pass);
			mcpi_keep(found);
		}
	printf("sum %d on node %d\n", found, mcpi_node());
	return 0;
}
