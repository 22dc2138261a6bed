/* SPDX-License-Identifier: BSD-2-Clause */
/* A double's decimal digits, all of them, and the digits that printf wants, rounded once. */
#include "runtime/math/decimal.h"
#include "runtime/float/number.h"

#include <string.h>

enum {
	WORD = 1000000000,
	DIGITS = 9, /* of a word */
	WHOLE = 36, /* words before the point, 10^324 */
	WORDS = WHOLE + 122,
	STEP = 29, /* bits of a multiplication or division; 2^29 < WORD */
	MOST_DIGITS = WORDS * DIGITS,
};

/* words[from] to words[to - 1]; those from WHOLE on are behind the point. */
struct decimal {
	uint32_t words[WORDS];
	int from, to;
};

static void multiply(struct decimal *d, int bits)
{
	uint64_t carry = 0;

	for (int n = d->to; n-- > d->from;) {
		carry += (uint64_t)d->words[n] << bits;
		d->words[n] = (uint32_t)(carry % WORD);
		carry /= WORD;
	}
	if (carry)
		d->words[--d->from] = (uint32_t)carry;
}

static void divide(struct decimal *d, int bits)
{
	uint64_t rest = 0;

	for (int n = d->from; n < d->to; n++) {
		rest = rest * WORD + d->words[n];
		d->words[n] = (uint32_t)(rest >> bits);
		rest &= (1UL << bits) - 1;
	}
	for (; rest; rest &= (1UL << bits) - 1) {
		rest *= WORD;
		d->words[d->to++] = (uint32_t)(rest >> bits);
	}
}

static void start(struct decimal *d, uint64_t bits)
{
	int exponent = exponent_of(bits), step;
	uint64_t m = bits << 12 >> 12;

	if (exponent)
		m |= 1UL << FRACTION;
	else
		exponent = 1;
	d->words[WHOLE - 2] = (uint32_t)(m / WORD);
	d->words[WHOLE - 1] = (uint32_t)(m % WORD);
	d->from = WHOLE - 2;
	d->to = WHOLE;
	for (exponent -= BIAS + FRACTION; exponent > 0; exponent -= step) {
		step = exponent > STEP ? STEP : exponent;
		multiply(d, step);
	}
	for (; exponent < 0; exponent += step) {
		step = exponent < -STEP ? STEP : -exponent;
		divide(d, step);
	}
}

/* All digits of `d`, the first not 0; the power of ten of the first. */
static int spell(const struct decimal *d, char *digits, int *count)
{
	int all = 0, zero = 0;

	for (int n = d->from; n < d->to; n++) {
		uint32_t word = d->words[n];

		for (int k = DIGITS; k--; word /= 10)
			digits[all + k] = (char)('0' + word % 10);
		all += DIGITS;
	}
	while (zero < all && digits[zero] == '0')
		zero++;
	memmove(digits, digits + zero, (size_t)(all - zero));
	*count = all - zero;
	return (WHOLE - d->from) * DIGITS - 1 - zero;
}

/* `count` digits become `wanted`, to the nearest, ties to even; 1 if that carried to a new one. */
static int rounded(char *digits, int count, int wanted)
{
	int n, up;

	if (wanted >= count) {
		memset(digits + count, '0', (size_t)(wanted - count));
		return 0;
	}
	up = digits[wanted] > '5';
	if (digits[wanted] == '5') {
		up = wanted > 0 && (digits[wanted - 1] & 1);
		for (n = wanted + 1; n < count; n++)
			up |= digits[n] != '0';
	}
	for (n = wanted; up && n--;) {
		up = digits[n] == '9';
		digits[n] = up ? '0' : (char)(digits[n] + 1);
	}
	if (up) {
		memmove(digits + 1, digits, (size_t)wanted);
		digits[0] = '1';
	}
	return up;
}

static char *put_exponent(char *to, int power, char letter)
{
	*to++ = letter;
	*to++ = power < 0 ? '-' : '+';
	power = power < 0 ? -power : power;
	if (power > 99)
		*to++ = (char)('0' + power / 100);
	*to++ = (char)('0' + power / 10 % 10);
	*to++ = (char)('0' + power % 10);
	return to;
}

static char *put_point(char *to, const char *digits, int count)
{
	*to++ = '.';
	memcpy(to, digits, (size_t)count);
	return to + count;
}

/* ddd.ddd of digits whose first has the power `power`; digits before them are 0. */
static char *put_plain(char *to, const char *digits, int power, int precision)
{
	int zero = power < 0 ? -1 - power : 0;

	if (power < 0)
		*to++ = '0';
	for (; power >= 0; power--)
		*to++ = *digits++;
	if (!precision)
		return to;
	*to++ = '.';
	for (; zero && precision; zero--, precision--)
		*to++ = '0';
	memcpy(to, digits, (size_t)precision);
	return to + precision;
}

size_t mcpi_spell_double(char *to, uint64_t bits, char form, int precision, int keep_zeroes)
{
	static char digits[MOST_DIGITS + MCPI_MOST_PRECISION + 2];
	static struct decimal d;
	char small = form | 0x20, letter = form & 0x20 ? 'e' : 'E', *at = to;
	int count = 0, power = 0, wanted, has_exponent;

	bits &= ~SIGN;
	if (bits >= INFINITE) {
		memcpy(to,
		       form & 0x20 ? (bits == INFINITE ? "inf" : "nan")
				   : (bits == INFINITE ? "INF" : "NAN"),
		       3);
		return 3;
	}
	if (bits) {
		start(&d, bits);
		power = spell(&d, digits, &count);
	}
	if (small == 'g')
		precision = precision ? precision : 1;
	wanted = small == 'f' ? power + 1 + precision : small == 'e' ? precision + 1 : precision;
	if (wanted < 0) {
		count = wanted = 0;
		power = -precision - 1;
	}
	if (rounded(digits, count, wanted)) {
		power++;
		wanted += small == 'f';
	}
	if (small == 'f' && !wanted)
		power = -precision - 1;
	has_exponent = small == 'e' || (small == 'g' && (power < -4 || power >= precision));
	if (small == 'g') {
		if (!keep_zeroes)
			while (wanted > 1 && digits[wanted - 1] == '0')
				wanted--;
		precision = has_exponent ? wanted - 1 : wanted - 1 - power;
		if (!has_exponent && precision < 0) { /* zeroes before the point */
			memset(digits + wanted, '0', (size_t)-precision);
			precision = 0;
		}
	}
	if (!has_exponent)
		return (size_t)(put_plain(at, digits, power, precision) - to);
	*at++ = digits[0];
	if (precision)
		at = put_point(at, digits + 1, precision);
	return (size_t)(put_exponent(at, power, letter) - to);
}
