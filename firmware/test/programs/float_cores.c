/* SPDX-License-Identifier: BSD-2-Clause */
/* Floating point on all cores at once: each result has the bits that core 0 alone has computed. */
#include <math.h>
#include <mcpi_cores.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 8, STEPS = 12 };

static struct {
	double found[STEPS];
} alone[SEEDS], together[SEEDS];

static int order(const void *one, const void *other)
{
	const double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

static void computes(int seed, double *found)
{
	double x = 1 + seed, y = 0.5;
	float f = 3;

	for (int n = 0; n < STEPS; n++) {
		x = x * 1.25 - sqrt(fabs(y) + seed);
		y = x / 3 - y;
		f = f * 1.5f + (float)y;
		found[n] = x + (int)f % 7 + f;
	}
	qsort(found, STEPS, sizeof(found[0]), order);
}

static void all(void *unused)
{
	(void)unused;
	computes(mcpi_core(), together[mcpi_core()].found);
}

int main(void)
{
	for (int n = 0; n < SEEDS; n++)
		computes(n, alone[n].found);
	mcpi_on_all_cores(all, NULL);
	for (int n = 0; n < SEEDS; n++)
		printf("%.17g %.17g\n", alone[n].found[0], alone[n].found[STEPS - 1]);
	return memcmp(alone, together, mcpi_cores() * sizeof(alone[0])) ? 1 : 0;
}
