/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits counted, turned, found. */
#include <stdint.h>
#include <stdio.h>
static int count(uint64_t x)
{
	int n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
}
static uint32_t turned(uint32_t x)
{
	uint32_t y = 0;
	for (int i = 0; i < 32; i++, x >>= 1)
		y = y << 1 | (x & 1);
	return y;
}
int main(void)
{
	for (uint64_t x = 1; x < 1000000000000UL; x = x * 37 + 11)
		printf("%lx %d %08x %d %d\n", x, count(x), turned((uint32_t)x), __builtin_clzl(x),
		       __builtin_ctzl(x));
	return 0;
}
