/* SPDX-License-Identifier: BSD-2-Clause */
/* Quotients and remainders of all signs and sizes. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
int main(void)
{
	static const long a[] = { 7, -7, LONG_MAX, LONG_MIN, 1234567890123456789, 0 };
	static const long b[] = { 2, -2, 1000003, LONG_MAX, -9 };
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 5; j++)
			printf("%ld/%ld=%ld,%ld %lu,%lu %d\n", a[i], b[j], a[i] / b[j], a[i] % b[j],
			       (unsigned long)a[i] / (unsigned long)b[j],
			       (unsigned long)a[i] % (unsigned long)b[j], (int)a[i] / (int)b[j]);
	return 0;
}
