/* SPDX-License-Identifier: BSD-2-Clause */
/* printf with all its forms. */
#include <stdio.h>
int main(void)
{
	printf("[%5d|%-5d|%05d|%+d|% d|%x|%X|%o|%u]\n", 42, 42, 42, 42, 42, 255, 255, 8, ~0u);
	printf("[%s|%10s|%-10s|%.2s|%c|%%|%*d|%.*f]\n", "abc", "abc", "abc", "abc", 'z', 6, 7, 3,
	       2.0 / 3);
	printf("[%f|%.0f|%10.3f|%-10.2e|%+g|%G|%012.4f]\n", 3.14159, 2.5, 2.71828, 12345.6789, 1e-5,
	       1e20, -1.5);
	printf("[%ld|%lu|%hhd|%hd|%zu|%lx]\n", -1L, 1UL << 63, (signed char)200, (short)70000,
	       sizeof(long), 1L << 40);
	printf("[%g|%g|%g|%f|%e]\n", 0.0, 100000.0, 1000000.0, 1.0 / 0, -1.0 / 0);
	return 0;
}
