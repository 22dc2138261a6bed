/* SPDX-License-Identifier: BSD-2-Clause */
/* The longest sequence of Collatz below 2000. */
#include <stdio.h>
int main(void)
{
	long best = 0;
	int start = 0;
	for (int n = 1; n < 2000; n++) {
		long steps = 0;
		for (long x = n; x != 1; steps++)
			x = x % 2 ? 3 * x + 1 : x / 2;
		if (steps > best) {
			best = steps;
			start = n;
		}
	}
	printf("%d %ld\n", start, best);
	return 0;
}
