/* SPDX-License-Identifier: BSD-2-Clause */
#include "stdlib.h"
#include "ctype.h"

#include <stdint.h>

int abs(int value)
{
	return value < 0 ? -value : value;
}

long labs(long value)
{
	return value < 0 ? -value : value;
}

int atoi(const char *text)
{
	int value = 0, negative;

	while (isspace(*text))
		text++;
	negative = *text == '-';
	if (*text == '-' || *text == '+')
		text++;
	for (; isdigit(*text); text++)
		value = value * 10 + (*text - '0');
	return negative ? -value : value;
}

static uint64_t state = 1;

void srand(unsigned seed)
{
	state = seed;
}

int rand(void) /* a linear congruential generator modulo 2^64 (Knuth), its upper bits */
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (int)(state >> 33);
}

static void swap(char *a, char *b, size_t bytes)
{
	char kept;

	while (bytes--) {
		kept = *a;
		*a++ = *b;
		*b++ = kept;
	}
}

/* The object at `at` goes down until none below it is larger (heap sort). */
static void sink(char *base, size_t at, size_t count, size_t bytes,
		 int (*compare)(const void *, const void *))
{
	size_t below;

	for (; (below = 2 * at + 1) < count; at = below) {
		if (below + 1 < count &&
		    compare(base + below * bytes, base + (below + 1) * bytes) < 0)
			below++;
		if (compare(base + at * bytes, base + below * bytes) >= 0)
			return;
		swap(base + at * bytes, base + below * bytes, bytes);
	}
}

void qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *))
{
	size_t n;

	for (n = count / 2; n--;)
		sink(base, n, count, bytes, compare);
	for (n = count; n > 1;) {
		n--;
		swap(base, (char *)base + n * bytes, bytes);
		sink(base, 0, n, bytes, compare);
	}
}
