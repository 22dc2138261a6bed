/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of the runtime's math.h, here with the prefix our_, next to the host's of long
 * double: special numbers, then so many random ones as the argument says. A line for each function:
 * its name, and its largest error in units of the last place. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bits.h"

#define OF_ONE(X)                                                                                  \
	X(exp)                                                                                     \
	X(exp2)                                                                                    \
	X(expm1)                                                                                   \
	X(log)                                                                                     \
	X(log2)                                                                                    \
	X(log10)                                                                                   \
	X(log1p)                                                                                   \
	X(sin)                                                                                     \
	X(cos)                                                                                     \
	X(tan)                                                                                     \
	X(asin)                                                                                    \
	X(acos)                                                                                    \
	X(atan) X(sinh) X(cosh) X(tanh) X(cbrt) X(sqrt) X(trunc) X(floor) X(ceil) X(round) X(rint)
#define OF_TWO(X) X(pow) X(atan2) X(hypot) X(fmod) X(fmin) X(fmax) X(fdim)
#define DECLARE_ONE(name) double our_##name(double x);
#define DECLARE_TWO(name) double our_##name(double x, double y);
#define ROW_ONE(name) { #name, our_##name, name##l, NULL, NULL },
#define ROW_TWO(name) { #name, NULL, NULL, our_##name, name##l },
#define COUNT(array) (sizeof(array) / sizeof *(array))

OF_ONE(DECLARE_ONE)
OF_TWO(DECLARE_TWO)

enum { DIGITS = 53, LEAST = -1074, TOO_MUCH = 1000000 };

struct function {
	const char *name;
	double (*one)(double x);
	long double (*one_hosts)(long double x);
	double (*two)(double x, double y);
	long double (*two_hosts)(long double x, long double y);
};

static const struct function functions[] = { OF_ONE(ROW_ONE) OF_TWO(ROW_TWO) };
static const double special[] = {
	0,
	-0.0,
	1,
	-1,
	INFINITY,
	-INFINITY,
	NAN,
	0.5,
	-0.5,
	2,
	3,
	-3,
	5e-324,
	1e-310,
	1e308,
	-1e308,
	1.5,
	2.5,
	0x1p53,
	0x1p60,
	1e22,
	1e300,
	-2,
	4,
	8,
	1000,
	0x1.fffffffffffffp-1,
	0x1.0000000000001p0,
	-745.2,
	709.8,
	0.25,
	M_PI,
	M_PI_2,
};

static double drawn(void)
{
	double unit = (double)(int64_t)draw() * 0x1p-63; /* -1 to 1 */

	switch (draw() % 5) {
	case 0:
		return of_bits(draw());
	case 1:
		return unit;
	case 2:
		return unit * 10;
	case 3:
		return unit * 700;
	default: /* near 1 */
		return 1 + unit * of_bits((1023 - draw() % 50) << 52);
	}
}

static double error(double got, long double wanted)
{
	double nearest = (double)wanted;
	int exponent;

	if (isnan(wanted))
		return isnan(got) ? 0 : TOO_MUCH;
	if (isinf(nearest) || isinf(got))
		return nearest == got ? 0 : TOO_MUCH;
	frexpl(wanted, &exponent);
	exponent = exponent - DIGITS < LEAST ? LEAST : exponent - DIGITS;
	return (double)fabsl(((long double)got - wanted) / ldexpl(1, exponent));
}

static double worst_of(const struct function *f, long count)
{
	long all = (long)COUNT(special) * (long)COUNT(special);
	double worst = 0, found;

	for (long n = 0; n < all + count; n++) {
		double x = n < all ? special[n / (long)COUNT(special)] : drawn();
		double y = n < all ? special[n % (long)COUNT(special)] : drawn();

		found = f->one ? error(f->one(x), f->one_hosts(x))
			       : error(f->two(x, y), f->two_hosts(x, y));
		worst = found > worst ? found : worst;
	}
	return worst;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0;

	for (size_t n = 0; n < COUNT(functions); n++)
		printf("%s %.4f\n", functions[n].name, worst_of(&functions[n], count));
	return 0;
}
