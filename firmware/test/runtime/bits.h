/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits of doubles, and numbers drawn at random, for programs that compare with the host. */
#ifndef TEST_RUNTIME_BITS_H
#define TEST_RUNTIME_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t draw(void) /* xorshift */
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static inline uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline double of_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

#endif
