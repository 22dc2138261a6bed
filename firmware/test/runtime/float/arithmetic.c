/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulation next to the host's floating point: all pairs of special numbers, then so many
 * random pairs as the argument says. */
#include "runtime/float/emulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bits.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SHOWN = 20 };

static const double numbers[] = {
	0,
	1,
	2,
	0.5,
	3,
	1.0 / 3,
	1e308,
	5e-324,
	2.2250738585072014e-308,
	1e-310,
	1.5,
	0x1p53,
	0x1p63,
	0x1p64,
	0x1.fffffffffffffp1023,
	0x1p-126,
	0x1p-149,
	0x1p-150,
	0x1.8p-150,
	0x1.fffffep127,
	0x1.ffffffp127,
	INFINITY,
};
static const uint64_t patterns[] = { 0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001,
				     0x7ff4000000000abc, 0xfff0000000000001, 0x000fffffffffffff };
static uint64_t special[2 * COUNT(numbers) + COUNT(patterns)];
static long wrong;

static uint32_t bits_of_float(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static float float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static uint64_t drawn(void)
{
	uint64_t bits = draw();

	switch (draw() % 5) {
	case 0:
		return bits;
	case 1:
		return special[bits % COUNT(special)];
	case 2:
		return bits_of((double)((int64_t)bits >> draw() % 64));
	case 3: /* exponents that are near */
		return (bits & ~(0x7ffUL << 52)) | (1000 + draw() % 50) << 52;
	default: /* small */
		return (bits & 0x800fffffffffffff) | (draw() % 64) << 52;
	}
}

static void expect(const char *what, uint64_t a, uint64_t b, uint64_t got, uint64_t wanted)
{
	if (got != wanted && wrong++ < SHOWN)
		printf("%s of %016lx %016lx is %016lx, not %016lx\n", what, a, b, got, wanted);
}

static void check_doubles(uint64_t a, uint64_t b)
{
	volatile double x = of_bits(a), y = of_bits(b);

	expect("sum", a, b, mcpi_addt(a, b), bits_of(x + y));
	expect("difference", a, b, mcpi_subt(a, b), bits_of(x - y));
	expect("product", a, b, mcpi_mult(a, b), bits_of(x * y));
	expect("quotient", a, b, mcpi_divt(a, b), bits_of(x / y));
	expect("root", a, b, mcpi_sqrtt(0, a), bits_of(sqrt(x)));
	expect("equal", a, b, mcpi_cmpteq(a, b) != 0, x == y);
	expect("less", a, b, mcpi_cmptlt(a, b) != 0, x < y);
	expect("less or equal", a, b, mcpi_cmptle(a, b) != 0, x <= y);
	expect("unordered", a, b, mcpi_cmptun(a, b) != 0, isunordered(x, y));
	expect("sign", a, b, mcpi_cpys(a, b), bits_of(copysign(y, x)));
	expect("double of a long", a, b, mcpi_cvtqt(0, a), bits_of((double)(int64_t)a));
	expect("float of a long", a, b, mcpi_cvtqs(0, a), bits_of((double)(float)(int64_t)a));
	if (fabs(x) < 0x1p63)
		expect("long of a double", a, b, mcpi_cvttq(0, a), (uint64_t)(int64_t)x);
	expect("float of a double", a, b, mcpi_sts(mcpi_cvtts(0, a), 0), bits_of_float((float)x));
}

static void check_floats(uint32_t a, uint32_t b)
{
	volatile float x = float_of(a), y = float_of(b);
	/* ldl extends the sign. */
	uint64_t of_a = mcpi_lds((uint64_t)(int64_t)(int32_t)a, 0), of_b = mcpi_lds(b, 0);

	expect("stored float", a, b, mcpi_sts(of_a, 0), a);
	if (!isnan(x))
		expect("loaded float", a, b, of_a, bits_of((double)x));
	expect("float sum", a, b, mcpi_sts(mcpi_adds(of_a, of_b), 0), bits_of_float(x + y));
	expect("float difference", a, b, mcpi_sts(mcpi_subs(of_a, of_b), 0), bits_of_float(x - y));
	expect("float product", a, b, mcpi_sts(mcpi_muls(of_a, of_b), 0), bits_of_float(x * y));
	expect("float quotient", a, b, mcpi_sts(mcpi_divs(of_a, of_b), 0), bits_of_float(x / y));
}

static void check(uint64_t a, uint64_t b)
{
	check_doubles(a, b);
	check_floats((uint32_t)(a >> 32 ^ a), (uint32_t)(b >> 32 ^ b));
	check_floats(bits_of_float((float)of_bits(a)), bits_of_float((float)of_bits(b)));
}

int main(int argc, char **argv)
{
	long pairs = argc > 1 ? atol(argv[1]) : 0;
	size_t n = 0;

	for (size_t k = 0; k < COUNT(numbers); k++) {
		special[n++] = bits_of(numbers[k]);
		special[n++] = bits_of(-numbers[k]);
	}
	for (size_t k = 0; k < COUNT(patterns); k++)
		special[n++] = patterns[k];
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++)
			check(special[a], special[b]);
	while (pairs--) {
		uint64_t a = drawn();

		check(a, drawn());
	}
	printf("%ld wrong\n", wrong);
	return wrong != 0;
}
