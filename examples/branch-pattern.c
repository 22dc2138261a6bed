/* SPDX-License-Identifier: BSD-2-Clause */
/* What does an if cost that is taken always, never, in turn, or at random? And the same without a
 * branch. */
#include <mcpi.h>
#include <stdlib.h>

enum { COUNT = 1024 };

static int always[COUNT], never[COUNT], in_turn[COUNT], by_chance[COUNT];

__attribute__((noinline)) static int with_branch(const int *flags)
{
	int sum = 0;

	for (int n = 0; n < COUNT; n++) {
		if (flags[n])
			__asm__ volatile("addl %0, 3, %0" : "+r"(sum));
	}
	return sum;
}

__attribute__((noinline)) static int without_branch(const int *flags)
{
	int sum = 0;

	for (int n = 0; n < COUNT; n++)
		sum += flags[n] * 2 + flags[n];
	return sum;
}

int main(void)
{
	for (int n = 0; n < COUNT; n++) {
		always[n] = 1;
		in_turn[n] = n & 1;
		by_chance[n] = rand() >> 8 & 1;
	}
	mcpi_keep(with_branch(always)); /* into the caches */
	MCPI_MEASURE_AS("always")
	mcpi_keep(with_branch(always));
	mcpi_keep(with_branch(never)); /* into the caches */
	MCPI_MEASURE_AS("never")
	mcpi_keep(with_branch(never));
	mcpi_keep(with_branch(in_turn)); /* into the caches */
	MCPI_MEASURE_AS("in turn")
	mcpi_keep(with_branch(in_turn));
	mcpi_keep(with_branch(by_chance)); /* into the caches */
	MCPI_MEASURE_AS("by chance")
	mcpi_keep(with_branch(by_chance));
	mcpi_keep(without_branch(by_chance)); /* into the caches */
	MCPI_MEASURE_AS("no branch")
	mcpi_keep(without_branch(by_chance));
	return 0;
}
