/* SPDX-License-Identifier: BSD-2-Clause */
/* Greatest common divisors, of 64 bits. */
#include <stdio.h>
static unsigned long gcd(unsigned long a, unsigned long b)
{
	return b ? gcd(b, a % b) : a;
}
int main(void)
{
	printf("%lu %lu %lu\n", gcd(1071, 462), gcd(1UL << 60, 6UL << 40),
	       gcd(12345678901234567UL, 7654321));
	return 0;
}
