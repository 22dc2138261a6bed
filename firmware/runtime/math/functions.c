/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of math.h that are no whole-number work: special operands here, all else in 64 bits
 * of significand. */
#include "runtime/math/angle.h"
#include "runtime/math/extended.h"

#include <errno.h>
#include <math.h>

static double outside(void)
{
	errno = EDOM;
	return NAN;
}

static double too_large(double x)
{
	if (isinf(x))
		errno = ERANGE;
	return x;
}

static struct extended x_plain(double x)
{
	return x_of(bits_of(x));
}

static struct extended halved(struct extended a)
{
	a.exponent--;
	return a;
}

double exp(double x)
{
	if (isnan(x))
		return x;
	if (x > 800)
		return isinf(x) ? x : too_large(INFINITY);
	if (x < -800)
		return 0;
	return too_large(x_double(x_exp(x_plain(x))));
}

double exp2(double x)
{
	struct extended found, part;
	double whole = floor(x);

	if (isnan(x))
		return x;
	if (x > 1100)
		return isinf(x) ? x : too_large(INFINITY);
	if (x < -1200)
		return 0;
	part = x_sum(x_plain(x), x_small(-(long)whole));
	found = x_exp(x_product(part, x_ln2));
	found.exponent += (long)whole;
	return too_large(x_double(found));
}

double expm1(double x)
{
	if (isnan(x) || x == 0)
		return x;
	if (x > 800)
		return isinf(x) ? x : too_large(INFINITY);
	if (x < -800)
		return -1;
	return too_large(x_double(x_expm1(x_plain(x))));
}

/* Returns 1 if a logarithm of x is special, and stores it in *result. */
static int special(double x, double *result)
{
	if (isnan(x) || x == INFINITY)
		*result = x;
	else if (x < 0)
		*result = outside();
	else if (x == 0)
		*result = -too_large(INFINITY);
	else
		return 0;
	return 1;
}

double log(double x)
{
	double result;

	return special(x, &result) ? result : x_double(x_log(x_plain(x)));
}

double log2(double x)
{
	double result;
	struct extended a;

	if (special(x, &result))
		return result;
	a = x_plain(x);
	if (a.m == SIGN)
		return (double)a.exponent;
	return x_double(x_product(x_log(a), x_log2e));
}

double log10(double x)
{
	double result;

	return special(x, &result) ? result : x_double(x_product(x_log(x_plain(x)), x_log10e));
}

double log1p(double x)
{
	if (isnan(x) || x == 0 || x == INFINITY)
		return x;
	if (x < -1)
		return outside();
	if (x == -1)
		return -too_large(INFINITY);
	return x_double(x_log1p(x_plain(x)));
}

static double sine(double x, int more)
{
	int quarters;
	struct extended a;

	if (isnan(x))
		return x;
	if (isinf(x))
		return outside();
	a = angle(bits_of(x), &quarters);
	return x_double(x_sine(a, quarters + more));
}

double sin(double x)
{
	return x == 0 ? x : sine(x, 0);
}

double cos(double x)
{
	return sine(x, 1);
}

double tan(double x)
{
	int quarters;
	struct extended a;

	if (isnan(x) || x == 0)
		return x;
	if (isinf(x))
		return outside();
	a = angle(bits_of(x), &quarters);
	return x_double(x_quotient(x_sine(a, quarters), x_sine(a, quarters + 1)));
}

double atan2(double y, double x)
{
	struct extended found;

	if (isnan(x) || isnan(y))
		return x + y;
	if (isinf(x) && isinf(y)) {
		x = copysign(1, x);
		y = copysign(1, y);
	}
	if (y == 0 || isinf(x)) {
		found = (struct extended){ 0, 0, 0 };
	} else if (x == 0 || isinf(y)) {
		found = x_half_pi;
		x = 1;
	} else {
		found = x_atan(x_quotient(x_plain(fabs(y)), x_plain(fabs(x))));
	}
	if (signbit(x)) {
		struct extended pi = x_half_pi;

		pi.exponent++;
		found = x_sum(pi, x_negated(found));
	}
	found.negative = signbit(y) != 0;
	return x_double(found);
}

double atan(double x)
{
	return x == 0 ? x : atan2(x, 1);
}

/* The root of 1 - x^2. */
static struct extended other_side(double x)
{
	struct extended a = x_plain(x);

	return x_root(x_product(x_sum(x_one, a), x_sum(x_one, x_negated(a))));
}

double asin(double x)
{
	struct extended found, below;

	if (isnan(x) || x == 0)
		return x;
	if (fabs(x) > 1)
		return outside();
	below = other_side(x);
	found = below.m ? x_atan(x_quotient(x_plain(fabs(x)), below)) : x_half_pi;
	found.negative = x < 0;
	return x_double(found);
}

double acos(double x)
{
	struct extended found, side, pi = x_half_pi;

	if (isnan(x))
		return x;
	if (fabs(x) > 1)
		return outside();
	pi.exponent++;
	side = other_side(x);
	found = x == 0 ? x_half_pi : x_atan(x_quotient(side, x_plain(fabs(x))));
	return x_double(x < 0 ? x_sum(pi, x_negated(found)) : found);
}

double sinh(double x)
{
	struct extended e;

	if (isnan(x) || isinf(x) || x == 0)
		return x;
	if (fabs(x) > 800)
		return copysign(too_large(INFINITY), x);
	e = x_expm1(x_plain(fabs(x)));
	e = halved(x_sum(e, x_quotient(e, x_sum(e, x_one))));
	e.negative = x < 0;
	return too_large(x_double(e));
}

double cosh(double x)
{
	struct extended e;

	if (isnan(x))
		return x;
	if (fabs(x) > 800)
		return isinf(x) ? INFINITY : too_large(INFINITY);
	e = x_exp(x_plain(fabs(x)));
	return too_large(x_double(halved(x_sum(e, x_quotient(x_one, e)))));
}

double tanh(double x)
{
	struct extended e;

	if (isnan(x) || x == 0)
		return x;
	if (fabs(x) > 30)
		return copysign(1, x);
	e = x_expm1(x_plain(2 * fabs(x)));
	e = x_quotient(e, x_sum(e, x_small(2)));
	e.negative = x < 0;
	return x_double(e);
}

double hypot(double x, double y)
{
	struct extended a, b;

	if (isinf(x) || isinf(y))
		return INFINITY;
	if (isnan(x) || isnan(y))
		return x + y;
	a = x_plain(x);
	b = x_plain(y);
	return too_large(x_double(x_root(x_sum(x_product(a, a), x_product(b, b)))));
}

/* Newton's method: each step doubles the digits that are right. */
double cbrt(double x)
{
	enum { STEPS = 6 };
	struct extended a, y;
	long third;
	int part;

	if (isnan(x) || isinf(x) || x == 0)
		return x;
	a = x_plain(fabs(x));
	third = (a.exponent + 3000) / 3 - 1000;
	part = (int)(a.exponent - 3 * third);
	a.exponent = part;
	y = x_plain(part == 0 ? 1.15 : part == 1 ? 1.45 : 1.8);
	for (int n = 0; n < STEPS; n++) {
		struct extended more = x_quotient(a, x_product(y, y));

		more = x_sum(more, x_sum(y, y));
		y = x_quotient(more, x_small(3));
	}
	y.exponent += third;
	y.negative = x < 0;
	return x_double(y);
}
