/* SPDX-License-Identifier: BSD-2-Clause */
/* Prime numbers below 1000. */
#include <stdio.h>
#include <string.h>
int main(void)
{
	static char composite[1000];
	int count = 0;
	for (int i = 2; i < 1000; i++) {
		if (composite[i])
			continue;
		count++;
		for (int j = i * i; j < 1000; j += i)
			composite[j] = 1;
	}
	printf("%d primes\n", count);
	return 0;
}
