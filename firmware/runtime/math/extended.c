/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/math/extended.h"

enum { TOO_SMALL = -1200, TOO_LARGE = 1200 };

struct extended x_of(uint64_t bits)
{
	int exponent;
	uint64_t m;

	if (!(bits << 1))
		return (struct extended){ 0, 0, bits >> 63 };
	m = significand_of(bits & ~SIGN, &exponent);
	return (struct extended){ m, exponent - BIAS, bits >> 63 };
}

double x_double(struct extended a)
{
	long exponent = a.exponent;

	if (!a.m)
		return of_bits(a.negative ? SIGN : 0);
	exponent = exponent < TOO_SMALL ? TOO_SMALL : exponent > TOO_LARGE ? TOO_LARGE : exponent;
	return of_bits(packed(a.negative ? SIGN : 0, (int)exponent + BIAS, a.m));
}

struct extended x_normal(unsigned __int128 m, long exponent, int negative)
{
	int lost;

	if (!m)
		return (struct extended){ 0, 0, 0 };
	if (!(uint64_t)(m >> 64)) {
		m <<= 64;
		exponent -= 64;
	}
	lost = zeroes((uint64_t)(m >> 64));
	m <<= lost;
	return (struct extended){ (uint64_t)(m >> 64), exponent - lost, negative };
}

struct extended x_small(long whole)
{
	int negative = whole < 0;
	unsigned long magnitude = negative ? -(unsigned long)whole : (unsigned long)whole;

	return x_normal((unsigned __int128)magnitude << 64, 63, negative);
}

struct extended x_negated(struct extended a)
{
	a.negative = !a.negative;
	return a;
}

static int is_larger(struct extended a, struct extended b)
{
	return a.exponent > b.exponent || (a.exponent == b.exponent && a.m >= b.m);
}

struct extended x_sum(struct extended a, struct extended b)
{
	unsigned __int128 of_a, of_b;
	struct extended larger = a;
	long apart;

	if (!a.m || !b.m)
		return a.m ? a : b;
	if (!is_larger(a, b)) {
		a = b;
		b = larger;
	}
	apart = a.exponent - b.exponent;
	if (apart > 120)
		return a;
	of_a = (unsigned __int128)a.m << 63;
	of_b = (unsigned __int128)b.m << 63 >> apart;
	of_a = a.negative == b.negative ? of_a + of_b : of_a - of_b;
	return x_normal(of_a, a.exponent + 1, a.negative);
}

struct extended x_product(struct extended a, struct extended b)
{
	unsigned __int128 m = (unsigned __int128)a.m * b.m;

	return x_normal(m, a.exponent + b.exponent + 1, a.negative != b.negative);
}

struct extended x_quotient(struct extended a, struct extended b)
{
	uint64_t rest = a.m, quotient = 0, over = 0;
	long exponent = a.exponent - b.exponent;

	if (!a.m)
		return a;
	if (rest < b.m) {
		over = rest >> 63;
		rest <<= 1;
		exponent--;
	}
	for (int n = 0; n < 64; n++) {
		quotient <<= 1;
		if (over || rest >= b.m) {
			rest -= b.m;
			quotient |= 1;
		}
		over = rest >> 63;
		rest <<= 1;
	}
	return (struct extended){ quotient, exponent, a.negative != b.negative };
}

struct extended x_root(struct extended a)
{
	unsigned __int128 rest = (unsigned __int128)a.m << (63 + (a.exponent & 1)), root = 0, bit;

	if (!a.m)
		return a;
	for (bit = (unsigned __int128)1 << 126; bit; bit >>= 2) {
		if (rest >= root + bit) {
			rest -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return (struct extended){ (uint64_t)root, a.exponent >> 1, 0 };
}
