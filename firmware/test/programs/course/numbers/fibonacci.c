/* SPDX-License-Identifier: BSD-2-Clause */
/* Fibonacci numbers, until 64 bits are full. */
#include <stdio.h>
int main(void)
{
	unsigned long a = 0, b = 1;
	for (int n = 0; b >= a; n++) {
		unsigned long c = a + b;
		printf("%d %lu\n", n, a);
		a = b;
		b = c;
	}
	return 0;
}
