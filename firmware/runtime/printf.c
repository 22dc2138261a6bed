/* SPDX-License-Identifier: BSD-2-Clause */
/* printf: one formatter, to the console or to a buffer; with floating point in programs that have
 * it (MCPI_FLOAT). */
#include "platform/platform.h"
#include "runtime/math/decimal.h"
#include "stdio.h"
#include "string.h"

#ifndef MCPI_FLOAT
#define MCPI_FLOAT 0
#endif

struct sink {
	char *to; /* NULL: the console */
	size_t room, written;
};

struct form {
	int left, zero, upper;
	char sign; /* what a number that is not negative has in front; 0: nothing */
	int width, precision;
};

static void put(struct sink *sink, char c)
{
	if (!sink->to)
		plat_putc(c);
	else if (sink->written + 1 < sink->room)
		sink->to[sink->written] = c;
	sink->written++;
}

static void pad(struct sink *sink, char c, long count)
{
	while (count-- > 0)
		put(sink, c);
}

static void put_field(struct sink *sink, const struct form *f, const char *text, size_t bytes)
{
	long blanks = (long)f->width - (long)bytes;

	if (!f->left)
		pad(sink, ' ', blanks);
	while (bytes--)
		put(sink, *text++);
	if (f->left)
		pad(sink, ' ', blanks);
}

static void put_number(struct sink *sink, const struct form *f, unsigned long value, unsigned base,
		       const char *prefix)
{
	const char *letters = f->upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char digits[24];
	int count = 0, zeroes = 0;
	long length;

	for (; value; value /= base)
		digits[count++] = letters[value % base];
	if (!count && f->precision)
		digits[count++] = '0';
	if (f->precision > count)
		zeroes = f->precision - count;
	length = count + zeroes + (long)strlen(prefix);
	if (f->zero && !f->left && f->precision < 0 && f->width > length) {
		zeroes = f->width - (int)length;
		length = f->width;
	}
	if (!f->left)
		pad(sink, ' ', f->width - length);
	while (*prefix)
		put(sink, *prefix++);
	pad(sink, '0', zeroes);
	while (count)
		put(sink, digits[--count]);
	if (f->left)
		pad(sink, ' ', f->width - length);
}

static void put_signed(struct sink *sink, const struct form *f, long value)
{
	const char own[2] = { f->sign, 0 };

	if (value < 0)
		put_number(sink, f, -(unsigned long)value, 10, "-");
	else
		put_number(sink, f, (unsigned long)value, 10, own);
}

static void put_text(struct sink *sink, struct form *f, const char *text)
{
	size_t bytes = 0, most = f->precision < 0 ? (size_t)-1 : (size_t)f->precision;

	if (!text)
		text = "(null)";
	while (bytes < most && text[bytes])
		bytes++;
	put_field(sink, f, text, bytes);
}

#if MCPI_FLOAT
static void put_double(struct sink *sink, const struct form *f, va_list *arguments, char conversion)
{
	double value = va_arg(*arguments, double);
	static char text[MCPI_SPELLED];
	int precision = f->precision < 0 ? 6 : f->precision;
	uint64_t bits;
	char sign;
	size_t length;
	long blanks;

	memcpy(&bits, &value, sizeof bits);
	precision = precision < MCPI_MOST_PRECISION ? precision : MCPI_MOST_PRECISION;
	length = mcpi_spell_double(text, bits, conversion, precision, 0);
	sign = bits >> 63 ? '-' : f->sign;
	blanks = (long)f->width - (long)length - (sign != 0);
	if (!f->left && !(f->zero && text[0] <= '9'))
		pad(sink, ' ', blanks);
	if (sign)
		put(sink, sign);
	if (!f->left && f->zero && text[0] <= '9')
		pad(sink, '0', blanks);
	for (size_t n = 0; n < length; n++)
		put(sink, text[n]);
	if (f->left)
		pad(sink, ' ', blanks);
}
#else
static void put_double(struct sink *sink, const struct form *f, va_list *arguments, char conversion)
{
}
#endif

/* The flags and sizes between '%' and the conversion. */
static const char *read_flags(const char *p, struct form *f)
{
	for (;; p++)
		switch (*p) {
		case '-':
			f->left = 1;
			break;
		case '0':
			f->zero = 1;
			break;
		case '+':
		case ' ':
			f->sign = *p == '+' || f->sign == '+' ? '+' : ' ';
			break;
		default:
			return p;
		}
}

static const char *read_count(const char *p, int *count, va_list *arguments)
{
	if (*p == '*') {
		*count = va_arg(*arguments, int);
		return p + 1;
	}
	for (*count = 0; *p >= '0' && *p <= '9'; p++)
		*count = *count * 10 + (*p - '0');
	return p;
}

/* One conversion, from behind its '%'; where the format goes on. */
static const char *convert(struct sink *sink, const char *p, va_list *arguments)
{
	struct form f = { .precision = -1 };
	int wide = 0, narrow = 0;
	unsigned long value;
	char c;

	p = read_flags(p, &f);
	p = read_count(p, &f.width, arguments);
	if (f.width < 0) {
		f.left = 1;
		f.width = -f.width;
	}
	if (*p == '.')
		p = read_count(p + 1, &f.precision, arguments);
	for (; *p == 'l' || *p == 'z' || *p == 'j' || *p == 't' || *p == 'h'; p++) {
		wide |= *p != 'h';
		narrow += *p == 'h';
	}
	if (MCPI_FLOAT && *p && strchr("fFeEgG", *p)) {
		put_double(sink, &f, arguments, *p);
		return p + 1;
	}
	switch (*p) {
	case 'd':
	case 'i':
		value = wide ? va_arg(*arguments, unsigned long)
			     : (unsigned long)(long)va_arg(*arguments, int);
		if (narrow)
			value = narrow > 1 ? (unsigned long)(signed char)value
					   : (unsigned long)(short)value;
		put_signed(sink, &f, (long)value);
		break;
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		value = wide ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned);
		if (narrow)
			value &= narrow > 1 ? 0xff : 0xffff;
		f.upper = *p == 'X';
		put_number(sink, &f, value, *p == 'u' ? 10 : *p == 'o' ? 8 : 16, "");
		break;
	case 'p':
		put_number(sink, &f, (unsigned long)va_arg(*arguments, void *), 16, "0x");
		break;
	case 's':
		put_text(sink, &f, va_arg(*arguments, const char *));
		break;
	case 'c':
		c = (char)va_arg(*arguments, int);
		put_field(sink, &f, &c, 1);
		break;
	case '%':
		put(sink, '%');
		break;
	default: /* not a conversion: as it is */
		put(sink, '%');
		return p;
	}
	return p + 1;
}

static int print(struct sink *sink, const char *format, va_list *arguments)
{
	while (*format)
		if (*format == '%')
			format = convert(sink, format + 1, arguments);
		else
			put(sink, *format++);
	if (sink->to && sink->room)
		sink->to[sink->written < sink->room ? sink->written : sink->room - 1] = 0;
	return (int)sink->written;
}

int vprintf(const char *format, va_list arguments)
{
	struct sink console = { 0 };
	va_list own;
	int result;

	va_copy(own, arguments);
	result = print(&console, format, &own);
	va_end(own);
	return result;
}

int printf(const char *format, ...)
{
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = vprintf(format, arguments);
	va_end(arguments);
	return result;
}

int vsnprintf(char *to, size_t bytes, const char *format, va_list arguments)
{
	char none;
	struct sink buffer = { .to = to ? to : &none, .room = to ? bytes : 0 };
	va_list own;
	int result;

	va_copy(own, arguments);
	result = print(&buffer, format, &own);
	va_end(own);
	return result;
}

int snprintf(char *to, size_t bytes, const char *format, ...)
{
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = vsnprintf(to, bytes, format, arguments);
	va_end(arguments);
	return result;
}

int puts(const char *text)
{
	while (*text)
		plat_putc(*text++);
	plat_putc('\n');
	return 0;
}

int putchar(int c)
{
	plat_putc((char)c);
	return (unsigned char)c;
}
