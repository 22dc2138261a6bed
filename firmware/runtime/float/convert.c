/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversions, comparisons and signs. */
#include "runtime/float/emulation.h"
#include "runtime/float/number.h"

enum { FLOAT_FRACTION = 23, FLOAT_BIAS = 127, FLOAT_MOST = 0xff, LESS = FRACTION - FLOAT_FRACTION };

static const uint64_t YES = 0x4000000000000000UL; /* 2.0: what a comparison of Alpha's gives */

static uint64_t truth(int is_so)
{
	return is_so ? YES : 0;
}

/* An integer that is ordered as the doubles are; both zeroes give 0. */
static int64_t order(uint64_t a)
{
	return a & SIGN ? -(int64_t)(a & ~SIGN) : (int64_t)a;
}

uint64_t mcpi_cmpteq(uint64_t a, uint64_t b)
{
	return truth(!is_nan(a) && !is_nan(b) && order(a) == order(b));
}

uint64_t mcpi_cmptlt(uint64_t a, uint64_t b)
{
	return truth(!is_nan(a) && !is_nan(b) && order(a) < order(b));
}

uint64_t mcpi_cmptle(uint64_t a, uint64_t b)
{
	return truth(!is_nan(a) && !is_nan(b) && order(a) <= order(b));
}

uint64_t mcpi_cmptun(uint64_t a, uint64_t b)
{
	return truth(is_nan(a) || is_nan(b));
}

uint64_t mcpi_cpys(uint64_t a, uint64_t b)
{
	return (a & SIGN) | (b & ~SIGN);
}

uint64_t mcpi_cpysn(uint64_t a, uint64_t b)
{
	return (~a & SIGN) | (b & ~SIGN);
}

uint64_t mcpi_cpyse(uint64_t a, uint64_t b)
{
	uint64_t head = SIGN | INFINITE;

	return (a & head) | (b & ~head);
}

uint64_t mcpi_cvtqt(uint64_t unused, uint64_t b)
{
	uint64_t sign = b & SIGN;
	int lost;

	(void)unused;
	if (!b)
		return 0;
	b = sign ? -b : b;
	lost = zeroes(b);
	return packed(sign, BIAS + 63 - lost, b << lost);
}

uint64_t mcpi_cvtqs(uint64_t unused, uint64_t b)
{
	uint64_t sign = b & SIGN;
	int lost;

	(void)unused;
	if (!b)
		return 0;
	b = sign ? -b : b;
	lost = zeroes(b);
	return packed_float(sign, BIAS + 63 - lost, b << lost);
}

uint64_t mcpi_cvttq(uint64_t unused, uint64_t b)
{
	int exponent = exponent_of(b) - BIAS;
	uint64_t m = (b << SPARE) | SIGN;

	(void)unused;
	if (exponent < 0)
		return 0;
	if (exponent > 63)
		return SIGN;
	m >>= 63 - exponent;
	return b & SIGN ? -m : m;
}

uint64_t mcpi_cvtts(uint64_t unused, uint64_t b)
{
	uint64_t sign = b & SIGN;
	int exponent;

	(void)unused;
	if (is_nan(b))
		return (b | QUIET) >> LESS << LESS;
	if (b << 1 == INFINITE << 1 || !(b << 1))
		return b;
	b = significand_of(b & ~SIGN, &exponent);
	return packed_float(sign, exponent, b);
}

uint64_t mcpi_lds(uint64_t a, uint64_t unused)
{
	uint64_t sign = a >> 31 << 63, rest = a & 0x7fffffff;
	int exponent = (int)(rest >> FLOAT_FRACTION), lost;

	(void)unused;
	if (!rest)
		return sign;
	if (exponent == FLOAT_MOST)
		return sign | INFINITE | rest << 41 >> 12;
	if (exponent)
		return sign | ((rest << LESS) + ((uint64_t)(BIAS - FLOAT_BIAS) << FRACTION));
	lost = zeroes(rest);
	return packed(sign, BIAS - FLOAT_BIAS + 1 + 63 - FLOAT_FRACTION - lost, rest << lost);
}

uint64_t mcpi_sts(uint64_t a, uint64_t unused)
{
	uint64_t sign = a >> 63 << 31, m;
	int exponent;

	(void)unused;
	a &= ~SIGN;
	if (!a)
		return sign;
	if (a >= INFINITE)
		return sign | (uint64_t)FLOAT_MOST << FLOAT_FRACTION | a << 12 >> 41;
	exponent = exponent_of(a) - BIAS + FLOAT_BIAS;
	if (exponent > 0)
		return sign | (uint64_t)exponent << FLOAT_FRACTION | a << 12 >> 41;
	m = (a << SPARE | SIGN) >> (63 - FLOAT_FRACTION);
	return sign | (exponent < -FLOAT_FRACTION ? 0 : m >> (1 - exponent));
}
