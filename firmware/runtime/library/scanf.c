/* SPDX-License-Identifier: BSD-2-Clause */
/* scanf from a file or a text, by characters that are taken and at most one that is given back. */
#include "ctype.h"
#include "runtime/library/file.h"
#include "runtime/library/scan.h"
#include "stdlib.h"
#include "string.h"

struct wanted {
	int width, longs, halves; /* width 0: no limit */
	char keeps, conversion;	  /* keeps 0: after * */
};

static int next(struct mcpi_scanned *s)
{
	int c = s->file ? mcpi_file_get(s->file) : *s->text ? (unsigned char)*s->text++ : EOF;

	s->taken += c != EOF;
	return c;
}

static void back(struct mcpi_scanned *s, int c)
{
	if (c == EOF)
		return;
	s->taken--;
	if (s->file)
		ungetc(c, s->file);
	else
		s->text--;
}

static int skip_blanks(struct mcpi_scanned *s)
{
	int c = next(s);

	while (c != EOF && isspace(c))
		c = next(s);
	back(s, c);
	return c;
}

/* The longest run of letters that `is_wanted`, at most `width`; its length. */
static int take(struct mcpi_scanned *s, char *to, int width, int (*is_wanted)(int c, int before))
{
	int n = 0, c = EOF, before = 0;

	while (n < width && (c = next(s)) != EOF && is_wanted(c, before))
		before = to[n++] = (char)c;
	if (n < width)
		back(s, c);
	to[n] = 0;
	return n;
}

static int in_number(int c, int before)
{
	return isalnum(c) || ((c == '-' || c == '+') && !before);
}

static int in_real(int c, int before)
{
	return isalnum(c) || c == '.' ||
	       ((c == '-' || c == '+') && (!before || (before | 32) == 'e'));
}

static void store(void *to, long value, const struct wanted *w)
{
	if (w->longs)
		*(long *)to = value;
	else if (w->halves > 1)
		*(signed char *)to = (signed char)value;
	else if (w->halves)
		*(short *)to = (short)value;
	else
		*(int *)to = (int)value;
}

static int read_integer(struct mcpi_scanned *s, const struct wanted *w, va_list *arguments)
{
	char text[MCPI_SCANNED], *end;
	int base = w->conversion == 'd' || w->conversion == 'u' ? 10
		   : w->conversion == 'x'			? 16
		   : w->conversion == 'o'			? 8
								: 0;
	long value;

	take(s, text, w->width ? w->width : MCPI_SCANNED - 1, in_number);
	value = w->conversion == 'd' || w->conversion == 'i' ? strtol(text, &end, base)
							     : (long)strtoul(text, &end, base);
	if (end == text)
		return 0;
	while (*end) /* what belongs to no number: the next conversion's */
		if (s->file)
			return 0;
		else
			back(s, *end++);
	if (w->keeps)
		store(va_arg(*arguments, void *), value, w);
	return 1;
}

static int in_set(const char *set, const char *end, int c)
{
	int inverted = *set == '^', found = 0;

	for (set += inverted; set < end; set++) {
		if (set + 2 < end && set[1] == '-') {
			found |= c >= set[0] && c <= set[2];
			set += 2;
		} else {
			found |= c == *set;
		}
	}
	return found != inverted;
}

/* %s, %c and %[: letters, of a set that ends before `end` for the last. */
static int read_letters(struct mcpi_scanned *s, const struct wanted *w, const char *set,
			const char *end, va_list *arguments)
{
	char *to = w->keeps ? va_arg(*arguments, char *) : NULL;
	int width = w->width ? w->width : w->conversion == 'c' ? 1 : 1 << 30, n = 0, c = EOF;

	while (n < width && (c = next(s)) != EOF) {
		if ((w->conversion == 's' && isspace(c)) ||
		    (w->conversion == '[' && !in_set(set, end, c))) {
			back(s, c);
			break;
		}
		if (to)
			to[n] = (char)c;
		n++;
	}
	if (to && n && w->conversion != 'c')
		to[n] = 0;
	return w->conversion == 'c' ? n == width : n > 0;
}

static int read_real(struct mcpi_scanned *s, const struct wanted *w, va_list *arguments)
{
	char text[MCPI_SCANNED];

	take(s, text, w->width ? w->width : MCPI_SCANNED - 1, in_real);
	if (!MCPI_FLOAT)
		return 0;
	return mcpi_scan_real(text, w->keeps ? va_arg(*arguments, void *) : NULL, w->longs > 0);
}

static const char *read_wanted(const char *p, struct wanted *w)
{
	*w = (struct wanted){ .keeps = 1 };
	if (*p == '*') {
		w->keeps = 0;
		p++;
	}
	for (; isdigit((unsigned char)*p); p++)
		w->width = w->width * 10 + (*p - '0');
	for (; strchr("hlzjt", *p) && *p; p++) {
		w->halves += *p == 'h';
		w->longs += *p != 'h';
	}
	w->conversion = *p == 'X' ? 'x' : strchr("feEgG", *p) && *p ? 'f' : *p;
	return p;
}

static int convert(struct mcpi_scanned *s, const struct wanted *w, const char **format,
		   va_list *arguments)
{
	const char *set = *format + 1, *end = set;

	switch (w->conversion) {
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'o':
		return read_integer(s, w, arguments);
	case 'f':
		return read_real(s, w, arguments);
	case '[':
		end += *end == '^';
		end += *end == ']';
		while (*end && *end != ']')
			end++;
		*format = end;
		return read_letters(s, w, set, end, arguments);
	default:
		return read_letters(s, w, set, end, arguments);
	}
}

static int scan(struct mcpi_scanned *s, const char *p, va_list *arguments)
{
	int count = 0, c;
	struct wanted w;

	for (; *p; p++) {
		if (isspace((unsigned char)*p)) {
			skip_blanks(s);
			continue;
		}
		if (*p != '%' || p[1] == '%') {
			p += *p == '%';
			c = next(s);
			if (c == (unsigned char)*p)
				continue;
			back(s, c);
			return c == EOF && !count ? EOF : count;
		}
		p = read_wanted(p + 1, &w);
		if (w.conversion == 'n') {
			store(va_arg(*arguments, void *), (long)s->taken, &w);
			continue;
		}
		if (!strchr("diuxofsc[", w.conversion))
			return count;
		if (w.conversion != 'c' && w.conversion != '[')
			skip_blanks(s);
		c = next(s);
		back(s, c);
		if (c == EOF)
			return count ? count : EOF;
		if (!convert(s, &w, &p, arguments))
			return count;
		count += w.keeps;
	}
	return count;
}

int vfscanf(FILE *file, const char *format, va_list arguments)
{
	struct mcpi_scanned from = { .file = file };
	va_list own;
	int result;

	va_copy(own, arguments);
	result = scan(&from, format, &own);
	va_end(own);
	return result;
}

int fscanf(FILE *file, const char *format, ...)
{
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = vfscanf(file, format, arguments);
	va_end(arguments);
	return result;
}

int scanf(const char *format, ...)
{
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = vfscanf(stdin, format, arguments);
	va_end(arguments);
	return result;
}

int sscanf(const char *text, const char *format, ...)
{
	struct mcpi_scanned from = { .text = text };
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = scan(&from, format, &arguments);
	va_end(arguments);
	return result;
}
