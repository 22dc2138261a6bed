/* SPDX-License-Identifier: BSD-2-Clause */
/* Decimal text to the next double: a quotient of whole numbers of any length, rounded once. */
#include "runtime/float/number.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_DIGITS = 800, /* a double and a half of its last place have fewer */
	WORDS = 140,
	HIGHEST = 310, /* powers of ten above which all is infinite */
	LOWEST = -400, /* below which all is 0 */
	PRECISE = 66,  /* bits of a quotient */
};

/* Words of 32 bits, the lowest first. */
struct whole {
	uint32_t words[WORDS];
	int count;
};

static void multiply_add(struct whole *w, uint32_t factor, uint32_t more)
{
	uint64_t carry = more;

	for (int n = 0; n < w->count; n++) {
		carry += (uint64_t)w->words[n] * factor;
		w->words[n] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry)
		w->words[w->count++] = (uint32_t)carry;
}

static int bits_of(const struct whole *w)
{
	return w->count ? w->count * 32 + 32 - zeroes(w->words[w->count - 1]) : 0;
}

static void shift_left(struct whole *w, int bits)
{
	int words = bits / 32, n;

	bits %= 32;
	for (n = w->count; n--;)
		w->words[n + words] = w->words[n];
	memset(w->words, 0, (size_t)words * sizeof *w->words);
	w->count += words;
	if (bits)
		multiply_add(w, 1U << bits, 0);
}

/* w -= other, if that is not below 0; whether it was. */
static int subtracted(struct whole *w, const struct whole *other)
{
	int64_t rest = 0;
	int n;

	if (w->count < other->count)
		return 0;
	if (w->count == other->count) {
		for (n = w->count; n-- && w->words[n] == other->words[n];)
			;
		if (n >= 0 && w->words[n] < other->words[n])
			return 0;
	}
	for (n = 0; n < w->count; n++) {
		rest += w->words[n];
		rest -= n < other->count ? other->words[n] : 0;
		w->words[n] = (uint32_t)rest;
		rest >>= 32;
	}
	while (w->count && !w->words[w->count - 1])
		w->count--;
	return 1;
}

static void times_ten_to(struct whole *w, int power)
{
	for (; power >= 9; power -= 9)
		multiply_add(w, 1000000000, 0);
	while (power-- > 0)
		multiply_add(w, 10, 0);
}

/* The double next to above / below. */
static uint64_t quotient(struct whole *above, struct whole *below)
{
	int shift = PRECISE - bits_of(above) + bits_of(below), bits = 0;
	uint64_t m = 0;

	if (shift > 0)
		shift_left(above, shift);
	else
		shift_left(below, -shift);
	shift_left(below, PRECISE);
	/* Now 2^-1 < above / below < 2: its digits. */
	for (; bits < 64 && above->count; bits += bits || m) {
		m = m << 1 | (uint64_t)subtracted(above, below);
		shift_left(above, 1);
		shift += !m;
	}
	m = bits < 64 && m ? m << (64 - bits) : m;
	return packed(0, BIAS + PRECISE - shift, m | (above->count != 0));
}

static uint64_t value_of(const char *digits, int count, int power)
{
	static struct whole above, below;

	if (!count || power + count < LOWEST)
		return 0;
	if (power + count > HIGHEST)
		return INFINITE;
	above.count = 0;
	for (int n = 0; n < count; n++)
		multiply_add(&above, 10, (uint32_t)(digits[n] - '0'));
	below.count = 1;
	below.words[0] = 1;
	times_ten_to(power < 0 ? &below : &above, power < 0 ? -power : power);
	return quotient(&above, &below);
}

static const char *read_word(const char *at, const char *word)
{
	for (; *word; word++, at++)
		if (tolower((unsigned char)*at) != *word)
			return NULL;
	return at;
}

/* The power behind an e; where the text goes on, `at` if there is none. */
static const char *read_power(const char *at, int *power)
{
	const char *digit = at + 1;
	int value = 0, sign = 1;

	if (*at != 'e' && *at != 'E')
		return at;
	if (*digit == '-' || *digit == '+')
		sign = *digit++ == '-' ? -1 : 1;
	if (!isdigit((unsigned char)*digit))
		return at;
	for (; isdigit((unsigned char)*digit); digit++)
		value = value < 100000 ? value * 10 + (*digit - '0') : value;
	*power += sign * value;
	return digit;
}

static const char *read_number(const char *at, uint64_t *bits)
{
	static char digits[MOST_DIGITS + 1];
	int count = 0, power = 0, point = 0, any = 0;

	for (;; at++) {
		if (*at == '.' && !point) {
			point = 1;
			continue;
		}
		if (!isdigit((unsigned char)*at))
			break;
		any = 1;
		power -= point;
		if (!count && *at == '0')
			continue;
		if (count < MOST_DIGITS)
			digits[count++] = *at;
		else { /* a digit behind that is not 0 decides a tie */
			power++;
			if (*at != '0')
				digits[MOST_DIGITS - 1] |= 1;
		}
	}
	if (!any)
		return NULL;
	at = read_power(at, &power);
	*bits = value_of(digits, count, power);
	return at;
}

double strtod(const char *text, char **end)
{
	const char *at = text, *rest;
	uint64_t bits = 0, sign = 0;
	double value;

	while (isspace((unsigned char)*at))
		at++;
	if (*at == '-' || *at == '+')
		sign = *at++ == '-' ? SIGN : 0;
	if ((rest = read_word(at, "inf"))) {
		bits = INFINITE;
		at = read_word(at, "infinity");
		at = at ? at : rest;
	} else if ((rest = read_word(at, "nan"))) {
		bits = INFINITE | QUIET;
		at = rest;
	} else {
		at = read_number(at, &bits);
	}
	if (end)
		*end = (char *)(uintptr_t)(at ? at : text);
	bits |= at ? sign : 0;
	memcpy(&value, &bits, sizeof value);
	return value;
}

float strtof(const char *text, char **end)
{
	return (float)strtod(text, end);
}

double atof(const char *text)
{
	return strtod(text, NULL);
}
