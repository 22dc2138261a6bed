/* SPDX-License-Identifier: BSD-2-Clause */
/* An angle of any size, reduced by as many bits of 2 / pi as matter (Payne and Hanek). */
#include "runtime/math/angle.h"
#include "runtime/math/constants.h"

enum { WORDS = 5 }; /* of a product: 53 by 256 bits; word 0 is the highest */

static uint64_t bits_at(int at) /* 64 bits of 2 / pi, from bit `at` behind the point */
{
	int word = at / 64, bit = at % 64;

	return bit ? two_over_pi[word] << bit | two_over_pi[word + 1] >> (64 - bit)
		   : two_over_pi[word];
}

static void shift_left(uint64_t *p, int bits)
{
	for (; bits >= 64; bits -= 64) {
		for (int n = 0; n < WORDS - 1; n++)
			p[n] = p[n + 1];
		p[WORDS - 1] = 0;
	}
	for (int n = 0; bits && n < WORDS; n++)
		p[n] = p[n] << bits | (n + 1 < WORDS ? p[n + 1] >> (64 - bits) : 0);
}

static void negate(uint64_t *p)
{
	uint64_t carry = 1;

	for (int n = WORDS; n--;) {
		p[n] = ~p[n] + carry;
		carry = carry && !p[n];
	}
}

struct extended angle(uint64_t bits, int *quarters)
{
	struct extended a = x_of(bits), rest;
	uint64_t product[WORDS] = { 0 }, m = a.m >> SPARE;
	unsigned __int128 sum = 0;
	int from, negative = 0, lost = 0;
	long exponent = a.exponent - FRACTION;

	*quarters = 0;
	if (!a.m || a.exponent < -1)
		return a;
	from = exponent > 2 ? (int)exponent - 2 : 0;
	for (int n = WORDS - 1; n > 0; n--) {
		sum += (unsigned __int128)m * bits_at(from + 64 * (n - 1));
		product[n] = (uint64_t)sum;
		sum >>= 64;
	}
	product[0] = (uint64_t)sum;
	shift_left(product, 62 + (int)exponent - from); /* two bits are whole quarters */
	*quarters = (int)(product[0] >> 62);
	shift_left(product, 2);
	if (product[0] & SIGN) {
		++*quarters;
		negate(product);
		negative = 1;
	}
	while (lost < 128 && !product[0]) {
		shift_left(product, 64);
		lost += 64;
	}
	rest = x_normal((unsigned __int128)product[0] << 64 | product[1], -1 - lost, negative);
	if (a.negative)
		*quarters = -*quarters;
	*quarters &= 3;
	rest.negative ^= a.negative;
	return x_product(rest, x_half_pi);
}
