/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of math.h that are exact: by bits and whole numbers. */
#include "runtime/float/emulation.h"
#include "runtime/math/extended.h"

#include <errno.h>
#include <math.h>

double sqrt(double x)
{
	if (x < 0)
		errno = EDOM;
	return of_bits(mcpi_sqrtt(0, bits_of(x)));
}

double trunc(double x)
{
	uint64_t bits = bits_of(x);
	int exponent = exponent_of(bits) - BIAS;

	if (exponent < 0)
		return of_bits(bits & SIGN);
	if (exponent >= FRACTION)
		return isnan(x) ? x + x : x;
	return of_bits(bits & ~((1UL << (FRACTION - exponent)) - 1));
}

double floor(double x)
{
	double below = trunc(x);

	return below > x ? below - 1 : below;
}

double ceil(double x)
{
	double above = trunc(x);

	return above < x ? copysign(above + 1, x) : above;
}

double round(double x)
{
	double whole = trunc(x);

	return fabs(x - whole) >= 0.5 ? whole + copysign(1, x) : whole;
}

double rint(double x)
{
	const double large = copysign(0x1p52, x);

	return fabs(x) < 0x1p52 ? copysign(x + large - large, x) : x;
}

double nearbyint(double x)
{
	return rint(x);
}

long lround(double x)
{
	return (long)round(x);
}

long lrint(double x)
{
	return (long)rint(x);
}

double frexp(double x, int *exponent)
{
	struct extended a;

	*exponent = 0;
	if (isnan(x) || isinf(x) || x == 0)
		return x;
	a = x_of(bits_of(x));
	*exponent = (int)a.exponent + 1;
	a.exponent = -1;
	return x_double(a);
}

double ldexp(double x, int exponent)
{
	struct extended a;

	if (isnan(x) || isinf(x) || x == 0)
		return x;
	a = x_of(bits_of(x));
	a.exponent += exponent;
	x = x_double(a);
	if (isinf(x) || x == 0)
		errno = ERANGE;
	return x;
}

double scalbn(double x, int exponent)
{
	return ldexp(x, exponent);
}

double modf(double x, double *whole)
{
	*whole = trunc(x);
	return copysign(isinf(x) ? 0 : x - *whole, x);
}

double fmod(double x, double y)
{
	struct extended a, b;

	if (isnan(x) || isnan(y))
		return x + y;
	if (isinf(x) || y == 0) {
		errno = EDOM;
		return NAN;
	}
	if (isinf(y) || fabs(x) < fabs(y))
		return x;
	a = x_of(bits_of(x));
	b = x_of(bits_of(y));
	a.m >>= 1;
	b.m >>= 1;
	for (long n = a.exponent - b.exponent; n >= 0; n--) {
		if (a.m >= b.m)
			a.m -= b.m;
		if (n)
			a.m <<= 1;
	}
	a = x_normal((unsigned __int128)a.m << 64, b.exponent + 1, a.negative);
	return copysign(x_double(a), x);
}

double fmin(double x, double y)
{
	if (isnan(x))
		return y;
	return x > y ? y : x;
}

double fmax(double x, double y)
{
	if (isnan(x))
		return y;
	return x < y ? y : x;
}

double fdim(double x, double y)
{
	return x <= y ? 0 : x - y;
}
