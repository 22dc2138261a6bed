/* SPDX-License-Identifier: BSD-2-Clause */
/* exp, log, atan, sin and cos of a small argument: series in fixed point, which a product of 64 by
 * 64 bits advances by a term. */
#include "runtime/math/constants.h"
#include "runtime/math/extended.h"

enum { EXP_TERMS = 21, LOG_TERMS = 14, ATAN_TERMS = 9, SINE_TERMS = 10 };

static const uint64_t ROOT_2 = 0xb504f333f9de6484UL;

/* |a| * 2^64, of |a| < 1. */
static uint64_t fraction(struct extended a)
{
	return a.exponent < -64 ? 0 : a.m >> (-1 - a.exponent);
}

/* a^2 * 2^64, of |a| < 1. */
static uint64_t squared(struct extended a)
{
	long shift = -2 * a.exponent - 2;

	return shift > 63 ? 0 : high_product(a.m, a.m) >> shift;
}

/* 2^63 * c[0] + c[step] * x + c[2 * step] * x^2 …; `sign` -1: every other term is subtracted. */
static uint64_t series(const uint64_t *c, int step, int terms, uint64_t x, int sign)
{
	uint64_t sum = c[step * terms];

	for (int n = terms; n--;)
		sum = sign < 0 ? c[step * n] - high_product(sum, x)
			       : c[step * n] + high_product(sum, x);
	return sum;
}

/* a * sum / 2^63 */
static struct extended times(struct extended a, uint64_t sum)
{
	return x_product(a, x_normal((unsigned __int128)sum << 64, 0, 0));
}

struct extended x_exp_fixed(__int128 a)
{
	enum { LOG2E = 94548 }; /* * 2^16 */
	const __int128 ln2 = (__int128)long_ln2[0] << 32 | long_ln2[1] >> 32;
	long k = (long)(a >> 72) * LOG2E >> 40;

	a -= k * ln2;
	for (; a < 0; k--)
		a += ln2;
	for (; a >= ln2; k++)
		a -= ln2;
	return (struct extended){ series(inverse_factorial, 1, EXP_TERMS, (uint64_t)(a >> 32), 1),
				  k, 0 };
}

struct extended x_exp(struct extended a)
{
	long shift = a.exponent + 33;
	__int128 fixed = shift >= 0 ? (__int128)a.m << shift : shift > -64 ? a.m >> -shift : 0;

	return x_exp_fixed(a.negative ? -fixed : fixed);
}

struct extended x_expm1(struct extended a)
{
	if (a.exponent >= -1)
		return x_sum(x_exp(a), x_negated(x_one));
	return times(
	    a, series(inverse_factorial + 1, 1, EXP_TERMS - 1, fraction(a), a.negative ? -1 : 1));
}

/* 2 atanh(s) */
static struct extended log_of_ratio(struct extended s)
{
	struct extended sum = times(s, series(inverse_odd, 1, LOG_TERMS, squared(s), 1));

	sum.exponent++;
	return sum;
}

struct extended x_log(struct extended a)
{
	long k = a.exponent;
	struct extended above, below;

	a.exponent = 0;
	if (a.m > ROOT_2) {
		a.exponent = -1;
		k++;
	}
	above = x_sum(a, x_negated(x_one));
	below = x_sum(a, x_one);
	above = log_of_ratio(x_quotient(above, below));
	return x_sum(x_product(x_small(k), x_ln2), above);
}

struct extended x_log1p(struct extended a)
{
	if (a.exponent >= -2)
		return x_log(x_sum(x_one, a));
	return log_of_ratio(x_quotient(a, x_sum(x_small(2), a)));
}

struct extended x_atan(struct extended a)
{
	struct extended part, low, inverse;
	long eighths;

	if (!a.m)
		return a;
	if (a.exponent >= 0 && (a.exponent || a.m > SIGN)) {
		inverse = x_atan(x_quotient(x_one, a));
		return x_sum(x_half_pi, x_negated(inverse));
	}
	eighths = a.exponent == 0 ? 8 : (long)((fraction(a) >> 60) + 1) >> 1;
	low = a;
	if (eighths) {
		part = x_product(x_small(eighths), (struct extended){ SIGN, -3, 0 });
		low = x_quotient(x_sum(a, x_negated(part)), x_sum(x_one, x_product(a, part)));
	}
	low = times(low, series(inverse_odd, 1, ATAN_TERMS, squared(low), -1));
	return x_sum(low, x_normal((unsigned __int128)atan_of_eighths[eighths] << 64, -1, 0));
}

struct extended x_sine(struct extended a, int quarters)
{
	uint64_t square = squared(a);
	struct extended found;

	if (quarters & 1)
		found = times(x_one, series(inverse_factorial, 2, SINE_TERMS, square, -1));
	else
		found = times(a, series(inverse_factorial + 1, 2, SINE_TERMS, square, -1));
	found.negative ^= quarters >> 1 & 1;
	return found;
}
