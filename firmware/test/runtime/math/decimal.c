/* SPDX-License-Identifier: BSD-2-Clause */
/* Decimal text of doubles, and doubles of text (our_strtod), next to the host's. */
#include "runtime/math/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bits.h"

enum { SHOWN = 20, ROOM = 4000, TIE_DIGITS = 1080 };

double our_strtod(const char *text, char **end);

static long wrong;

static void read_back(const char *text)
{
	uint64_t got = bits_of(our_strtod(text, NULL)), wanted = bits_of(strtod(text, NULL));

	if (got != wanted && wrong++ < SHOWN)
		printf("%.60s is read as %a\n", text, of_bits(got));
}

static void print(double x, int precision, char form)
{
	char format[16], wanted[ROOM], got[ROOM], *at = got;

	sprintf(format, "%%.%d%c", precision, form);
	sprintf(wanted, format, x);
	if (signbit(x))
		*at++ = '-';
	at[mcpi_spell_double(at, bits_of(x), form, precision, 0)] = 0;
	if (strcmp(wanted, got) != 0 && wrong++ < SHOWN)
		printf("%s of %a is %s, not %s\n", format, x, got, wanted);
}

static double drawn(void)
{
	uint64_t bits = draw();

	switch (draw() % 3) {
	case 0:
		return of_bits(bits);
	case 1:
		return of_bits((bits & ~(0x7ffUL << 52)) | (1000 + draw() % 60) << 52);
	default: /* ties of few digits */
		return (double)(bits % 100000) / (double)(1L << draw() % 12);
	}
}

static void check(double x)
{
	double next = nextafter(x, INFINITY);
	char text[ROOM], *at;

	print(x, (int)(draw() % 25), "fegFEG"[draw() % 6]);
	sprintf(text, "%.17g", x);
	read_back(text);
	sprintf(text, "%lu.%lue%d", draw(), draw(), (int)(draw() % 700) - 370);
	read_back(text);
	if (isfinite(next)) { /* just between two */
		sprintf(text, "%.*Le", TIE_DIGITS, ((long double)x + (long double)next) / 2);
		read_back(text);
		at = strchr(text, 'e'); /* and a little above that */
		memmove(at + 1, at, strlen(at) + 1);
		*at = '1';
		read_back(text);
	}
}

int main(int argc, char **argv)
{
	static const double special[] = { 0,   -0.0,	1,     0.5,	 5e-324,   1e23, 1e22,
					  9.5, 0.00095, 1e308, INFINITY, 999999.5, 0.1 };
	static const char *const texts[] = { "",       ".",	   "-",		"1e",
					     "1e+",    ".5",	   "5.",	" +7x",
					     "-0",     "inf",	   "-Infinity", "1e400",
					     "1e-400", "00012e-3", "4.9e-324",	"2.4e-324" };
	long count = argc > 1 ? atol(argv[1]) : 0;

	for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
		char *ours, *hosts;

		our_strtod(texts[n], &ours);
		strtod(texts[n], &hosts);
		read_back(texts[n]);
		if (ours != hosts && wrong++ < SHOWN)
			printf("\"%s\" ends after %ld\n", texts[n], (long)(ours - texts[n]));
	}
	for (size_t n = 0; n < sizeof special / sizeof *special; n++)
		for (int precision = 0; precision < 20; precision++)
			for (const char *form = "fegFEG"; *form; form++)
				print(special[n], precision, *form);
	for (long n = 0; n < count; n++) {
		double x = drawn();

		if (!isnan(x))
			check(x);
	}
	printf("%ld wrong\n", wrong);
	return wrong != 0;
}
