/* SPDX-License-Identifier: BSD-2-Clause */
/* The dot product of two vectors that lie 8 KB apart, after a first pass. This file stays. */
#include <stdint.h>
#include <stdio.h>

enum { WORDS = 128, APART = 1024 };

static uint64_t memory[2 * APART];

__attribute__((noinline)) uint64_t dot(const uint64_t *a, const uint64_t *b)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < WORDS; n++)
		sum += a[n] * b[n];
	return sum;
}

int main(void)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < 2 * APART; n++)
		memory[n] = n;
	for (unsigned pass = 0; pass < 4; pass++)
		sum += dot(memory, memory + APART);
	printf("%lu\n", sum);
	return 0;
}
