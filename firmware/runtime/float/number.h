/* SPDX-License-Identifier: BSD-2-Clause */
/* A double as sign, exponent and a significand of 64 bits. */
#pragma once

#include <stdint.h>

#define SIGN (1UL << 63)
#define INFINITE 0x7ff0000000000000UL
#define QUIET (1UL << 51)
#define NO_NUMBER (SIGN | INFINITE | QUIET)

enum { FRACTION = 52, BIAS = 1023, MOST = 0x7ff, SPARE = 11 };

static inline int exponent_of(uint64_t a)
{
	return (int)(a >> FRACTION) & MOST;
}

static inline int is_nan(uint64_t a)
{
	return a << 1 > INFINITE << 1;
}

static inline uint64_t nan_of(uint64_t a, uint64_t b)
{
	return (is_nan(a) ? a : b) | QUIET;
}

/* Zeroes before the first 1 of a number that is not 0. */
static inline int zeroes(uint64_t a)
{
	int count = 0;

	for (int step = 32; step; step >>= 1)
		if (!(a >> (64 - step))) {
			a <<= step;
			count += step;
		}
	return count;
}

/* a >> count, with a 1 at the end if a bit was lost. */
static inline uint64_t shifted(uint64_t a, int count)
{
	if (count > 63)
		return a != 0;
	return a >> count | ((a & ((1UL << count) - 1)) != 0);
}

/* The significand, its first bit 1, of a number that is neither 0 nor infinite; *exponent is that
 * of a double, and goes on below 1 for numbers that are not normal. */
static inline uint64_t significand_of(uint64_t a, int *exponent)
{
	int lost;

	*exponent = exponent_of(a);
	a = a << SPARE;
	if (*exponent)
		return a | SIGN;
	lost = zeroes(a << 1) + 1;
	*exponent = 1 - lost;
	return a << lost;
}

/* The double next to m / 2^63 * 2^(exponent - BIAS); the last bit of m also stands for all behind
 * it. */
static inline uint64_t packed(uint64_t sign, int exponent, uint64_t m)
{
	uint64_t kept, rest;

	if (exponent >= MOST)
		return sign | INFINITE;
	if (exponent < 1)
		m = shifted(m, 1 - exponent);
	rest = m & ((1UL << SPARE) - 1);
	kept = m >> SPARE;
	kept += rest > 1UL << (SPARE - 1) || (rest == 1UL << (SPARE - 1) && (kept & 1));
	if (exponent > 1)
		kept += (uint64_t)(exponent - 1) << FRACTION;
	return sign | kept;
}

/* The same rounded to a float, as a double. */
static inline uint64_t packed_float(uint64_t sign, int exponent, uint64_t m)
{
	enum { DROPPED = 40, LEAST = BIAS - 126, TOO_LARGE = BIAS + 128 };
	int drop = DROPPED + (exponent < LEAST ? LEAST - exponent : 0), lost;
	uint64_t kept, rest;

	if (exponent >= TOO_LARGE)
		return sign | INFINITE;
	if (drop > 64)
		return sign;
	kept = drop == 64 ? 0 : m >> drop;
	rest = m << (64 - drop);
	kept += rest > SIGN || (rest == SIGN && (kept & 1));
	if (!kept)
		return sign;
	lost = zeroes(kept);
	exponent += drop - lost;
	if (exponent >= TOO_LARGE)
		return sign | INFINITE;
	return sign | (uint64_t)exponent << FRACTION | kept << lost << 1 >> (SPARE + 1);
}
