/* SPDX-License-Identifier: BSD-2-Clause */
/* pow: a logarithm of 120 bits, so that its product with a large exponent has 64 left. */
#include "runtime/math/constants.h"
#include "runtime/math/extended.h"

#include <errno.h>
#include <math.h>

typedef unsigned __int128 wide;

enum { TERMS = 24, ROOM = 10 }; /* bits above the point of a logarithm */

static const uint64_t ROOT_2 = 0xb504f333f9de6484UL;

static wide high_wide(wide a, wide b)
{
	uint64_t ah = (uint64_t)(a >> 64), al = (uint64_t)a, bh = (uint64_t)(b >> 64);
	uint64_t bl = (uint64_t)b;
	wide middle = (wide)ah * bl, other = (wide)al * bh;
	wide low = (wide)(uint64_t)middle + (uint64_t)other + high_product(al, bl);

	return (wide)ah * bh + (middle >> 64) + (other >> 64) + (low >> 64);
}

/* above / below * 2^128, of above < below < 2^127 */
static wide ratio(wide above, wide below)
{
	wide quotient = 0;

	for (int n = 0; n < 128; n++) {
		above <<= 1;
		quotient <<= 1;
		if (above >= below) {
			above -= below;
			quotient |= 1;
		}
	}
	return quotient;
}

/* ln of a positive double that is not 1: m / 2^127 * 2^*exponent, the first bit of m is 1. */
static wide logarithm(struct extended a, long *exponent, int *negative)
{
	long k = a.exponent;
	int is_low = a.m > ROOT_2, shift = 0;
	wide above, below, s, z, sum = 0;

	/* Numbers of 2^-64. */
	wide m = is_low ? (wide)a.m : (wide)a.m << 1, one = (wide)1 << 64;

	k += is_low;
	above = is_low ? one - m : m - one;
	below = m + one;
	*negative = is_low;
	*exponent = 0;
	if (above) {
		while (!(above >> 63)) { /* so that the quotient has all its bits */
			above <<= 1;
			shift++;
		}
		s = ratio(above, below); /* times 2^shift */
		z = high_wide(s, s) >> (2 * shift < 127 ? 2 * shift : 127);
		for (int n = TERMS; n >= 0; n--) {
			wide c = n ? ((wide)1 << 127) / (wide)(2 * n + 1) : (wide)1 << 127;

			sum = c + high_wide(sum, z);
		}
		sum = high_wide(sum, s); /* atanh, / 2^127, times 2^shift */
		*exponent = 1 - shift;
	}
	if (k) {
		wide ln2 = ((wide)long_ln2[0] << 64 | long_ln2[1]) >> ROOM;
		wide of_k = ln2 * (wide)(k < 0 ? -k : k); /* / 2^118 */
		wide rest = sum >> (shift + ROOM - 2 < 127 ? shift + ROOM - 2 : 127);

		if (*negative == (k < 0)) {
			sum = of_k + rest;
		} else {
			sum = of_k - rest;
		}
		*negative = k < 0;
		*exponent = ROOM - 1;
	}
	while (!(sum >> 127)) {
		sum <<= 1;
		--*exponent;
	}
	return sum;
}

static int is_whole(double y)
{
	return trunc(y) == y;
}

static int is_odd(double y)
{
	return is_whole(y) && fabs(y) < 0x1p53 && ((long)y & 1);
}

static double of_infinite(double x, double y)
{
	double least = signbit(x) && is_odd(y) ? -0.0 : 0.0;

	if (isinf(y)) {
		if (fabs(x) == 1)
			return 1;
		return (fabs(x) > 1) == (y > 0) ? INFINITY : 0;
	}
	if (x == 0 && y < 0)
		errno = ERANGE;
	if ((x == 0) == (y > 0))
		return least;
	return copysign(INFINITY, least);
}

double pow(double x, double y)
{
	long exponent;
	int negative, minus;
	struct extended of_y, found;
	wide m;
	__int128 fixed;

	if (y == 0 || x == 1)
		return 1;
	if (isnan(x) || isnan(y))
		return x + y;
	if (isinf(x) || isinf(y) || x == 0)
		return of_infinite(x, y);
	minus = x < 0;
	if (minus && !is_whole(y)) {
		errno = EDOM;
		return NAN;
	}
	minus = minus && is_odd(y);
	if (x == -1)
		return minus ? -1 : 1;
	m = logarithm(x_of(bits_of(fabs(x))), &exponent, &negative);
	of_y = x_of(bits_of(y));
	m = high_wide(m, (wide)of_y.m << 64); /* / 2^126 */
	exponent += of_y.exponent + 1;	      /* / 2^127 */
	negative ^= of_y.negative;
	if (exponent > 12) {
		found = x_small(1);
		found.exponent = negative ? -4000 : 4000;
	} else {
		fixed = exponent < -90 ? 0 : (__int128)(m >> (31 - exponent));
		found = x_exp_fixed(negative ? -fixed : fixed);
	}
	found.negative = minus;
	x = x_double(found);
	if (isinf(x) || x == 0)
		errno = ERANGE;
	return x;
}
