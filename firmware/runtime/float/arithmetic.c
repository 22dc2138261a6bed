/* SPDX-License-Identifier: BSD-2-Clause */
/* Sum, product, quotient and root, correctly rounded. A float's result is the double's, rounded
 * again: 53 bits are more than twice 24 and 2, so that the second rounding finds no false tie. */
#include "runtime/float/emulation.h"
#include "runtime/float/number.h"

uint64_t mcpi_addt(uint64_t a, uint64_t b)
{
	uint64_t of_a, of_b, m, sign;
	int exponent, below, lost;

	if (is_nan(a) || is_nan(b))
		return nan_of(a, b);
	if (a << 1 < b << 1) {
		m = a;
		a = b;
		b = m;
	}
	sign = a & SIGN;
	exponent = exponent_of(a);
	below = exponent_of(b);
	if (exponent == MOST)
		return below == MOST && a != b ? NO_NUMBER : a;
	/* The first bit is 62: a sum has room. */
	of_a = a << 12 >> 2 | (uint64_t)(exponent != 0) << 62;
	of_b = b << 12 >> 2 | (uint64_t)(below != 0) << 62;
	exponent += !exponent;
	below += !below;
	of_b = shifted(of_b, exponent - below);
	if ((a ^ b) & SIGN) {
		m = of_a - of_b;
		if (!m)
			return 0;
	} else {
		m = of_a + of_b;
		if (!m)
			return sign;
	}
	lost = zeroes(m);
	return packed(sign, exponent + 1 - lost, m << lost);
}

uint64_t mcpi_subt(uint64_t a, uint64_t b)
{
	return mcpi_addt(a, is_nan(b) ? b : b ^ SIGN);
}

uint64_t mcpi_mult(uint64_t a, uint64_t b)
{
	uint64_t sign = (a ^ b) & SIGN, of_a, of_b, high, low;
	int exponent, more;

	if (is_nan(a) || is_nan(b))
		return nan_of(a, b);
	a &= ~SIGN;
	b &= ~SIGN;
	if (a == INFINITE || b == INFINITE)
		return a && b ? sign | INFINITE : NO_NUMBER;
	if (!a || !b)
		return sign;
	of_a = significand_of(a, &exponent);
	of_b = significand_of(b, &more);
	exponent += more - BIAS + 1;
	high = (uint64_t)((unsigned __int128)of_a * of_b >> 64);
	low = of_a * of_b;
	if (!(high & SIGN)) {
		high = high << 1 | low >> 63;
		low <<= 1;
		exponent--;
	}
	return packed(sign, exponent, high | (low != 0));
}

uint64_t mcpi_divt(uint64_t a, uint64_t b)
{
	enum { BITS = 56 };
	uint64_t sign = (a ^ b) & SIGN, rest, divisor, quotient = 0;
	int exponent, less, n;

	if (is_nan(a) || is_nan(b))
		return nan_of(a, b);
	a &= ~SIGN;
	b &= ~SIGN;
	if (a == INFINITE)
		return b == INFINITE ? NO_NUMBER : sign | INFINITE;
	if (!b)
		return a ? sign | INFINITE : NO_NUMBER;
	if (!a || b == INFINITE)
		return sign;
	rest = significand_of(a, &exponent) >> 2;
	divisor = significand_of(b, &less) >> 2;
	exponent += BIAS - less;
	if (rest < divisor) {
		rest <<= 1;
		exponent--;
	}
	for (n = 0; n < BITS; n++) {
		quotient <<= 1;
		if (rest >= divisor) {
			rest -= divisor;
			quotient |= 1;
		}
		rest <<= 1;
	}
	return packed(sign, exponent, quotient << (64 - BITS) | (rest != 0));
}

/* A digit at a time: rest = (a - root^2) * 2^n, twice = 2 * root; 1.0 is bit 60. */
uint64_t mcpi_sqrtt(uint64_t unused, uint64_t a)
{
	enum { ONE = 60, LAST = 5 };
	uint64_t rest, root = 0, twice = 0, bit;
	int exponent;

	(void)unused;
	if (is_nan(a))
		return a | QUIET;
	if (!(a << 1) || a == INFINITE)
		return a;
	if (a & SIGN)
		return NO_NUMBER;
	rest = significand_of(a, &exponent) >> 3;
	exponent -= BIAS;
	if (exponent & 1)
		rest <<= 1;
	for (bit = 1UL << ONE; bit >= 1UL << LAST; bit >>= 1) {
		if (twice + bit <= rest) {
			rest -= twice + bit;
			twice += 2 * bit;
			root += bit;
		}
		rest <<= 1;
	}
	return packed(0, (exponent >> 1) + BIAS, root << (63 - ONE) | (rest != 0));
}

uint64_t mcpi_adds(uint64_t a, uint64_t b)
{
	return mcpi_cvtts(0, mcpi_addt(a, b));
}

uint64_t mcpi_subs(uint64_t a, uint64_t b)
{
	return mcpi_cvtts(0, mcpi_subt(a, b));
}

uint64_t mcpi_muls(uint64_t a, uint64_t b)
{
	return mcpi_cvtts(0, mcpi_mult(a, b));
}

uint64_t mcpi_divs(uint64_t a, uint64_t b)
{
	return mcpi_cvtts(0, mcpi_divt(a, b));
}
