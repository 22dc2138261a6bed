/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers with 64 bits of significand, and any exponent: what math.h computes with. Each operation
 * errs by less than two units in the last place. */
#pragma once

#include "runtime/float/number.h"

#include <stdint.h>
#include <string.h>

/* (negative ? - : +) m / 2^63 * 2^exponent; the first bit of m is 1, or m is 0. */
struct extended {
	uint64_t m;
	long exponent;
	int negative;
};

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

static inline uint64_t high_product(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> 64);
}

struct extended x_of(uint64_t bits); /* of a double that is finite */
double x_double(struct extended a);  /* the next one */
struct extended x_normal(unsigned __int128 m, long exponent, int negative); /* m / 2^127 */
struct extended x_negated(struct extended a);
struct extended x_sum(struct extended a, struct extended b);
struct extended x_product(struct extended a, struct extended b);
struct extended x_quotient(struct extended a, struct extended b);
struct extended x_root(struct extended a);
struct extended x_small(long whole);

/* Functions whose results math.h's are made of. */
struct extended x_exp_fixed(__int128 a);		 /* a / 2^96, |a| < 2^14 */
struct extended x_exp(struct extended a);		 /* |a| < 2^14 */
struct extended x_expm1(struct extended a);		 /* the same */
struct extended x_log(struct extended a);		 /* a > 0 */
struct extended x_log1p(struct extended a);		 /* a > -1 */
struct extended x_atan(struct extended a);		 /* a >= 0 */
struct extended x_sine(struct extended a, int quarters); /* of a + quarters * pi / 2, a < 0.79 */

extern const struct extended x_ln2, x_half_pi, x_one, x_log2e, x_log10e;
