/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory by quadwords where both sides are aligned alike, by bytes at the ends. */
#include "string.h"

#include <stdint.h>

typedef uint64_t __attribute__((may_alias)) quad;

enum { QUAD = sizeof(quad) };

static uintptr_t misplaced(const void *at)
{
	return (uintptr_t)at & (QUAD - 1);
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	return memmove(to, from, bytes);
}

static void copy_up(unsigned char *to, const unsigned char *from, size_t bytes)
{
	if (misplaced(to) == misplaced(from)) {
		for (; bytes && misplaced(to); bytes--)
			*to++ = *from++;
		for (; bytes >= QUAD; bytes -= QUAD, to += QUAD, from += QUAD)
			*(quad *)to = *(const quad *)from;
	}
	while (bytes--)
		*to++ = *from++;
}

static void copy_down(unsigned char *to, const unsigned char *from, size_t bytes)
{
	if (misplaced(to) == misplaced(from)) {
		for (; bytes && misplaced(to + bytes); bytes--)
			to[bytes - 1] = from[bytes - 1];
		for (; bytes >= QUAD; bytes -= QUAD)
			*(quad *)(to + bytes - QUAD) = *(const quad *)(from + bytes - QUAD);
	}
	while (bytes--)
		to[bytes] = from[bytes];
}

void *memmove(void *to, const void *from, size_t bytes)
{
	if ((uintptr_t)to - (uintptr_t)from >= bytes)
		copy_up(to, from, bytes);
	else
		copy_down(to, from, bytes);
	return to;
}

void *memset(void *to, int value, size_t bytes)
{
	unsigned char *at = to;
	quad all = (unsigned char)value * 0x0101010101010101UL;

	for (; bytes && misplaced(at); bytes--)
		*at++ = (unsigned char)value;
	for (; bytes >= QUAD; bytes -= QUAD, at += QUAD)
		*(quad *)at = all;
	while (bytes--)
		*at++ = (unsigned char)value;
	return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const unsigned char *one = a, *two = b;

	for (; bytes--; one++, two++)
		if (*one != *two)
			return *one - *two;
	return 0;
}

void *memchr(const void *from, int value, size_t bytes)
{
	const unsigned char *at = from;

	for (; bytes--; at++)
		if (*at == (unsigned char)value)
			return (void *)(uintptr_t)at;
	return NULL;
}

size_t strlen(const char *text)
{
	size_t bytes = 0;

	while (text[bytes])
		bytes++;
	return bytes;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, (size_t)-1);
}

int strncmp(const char *a, const char *b, size_t bytes)
{
	for (; bytes--; a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	memcpy(to, from, strlen(from) + 1);
	return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t bytes)
{
	size_t n = 0;

	for (; n < bytes && from[n]; n++)
		to[n] = from[n];
	memset(to + n, 0, bytes - n);
	return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
	strcpy(to + strlen(to), from);
	return to;
}

char *strchr(const char *text, int c)
{
	for (;; text++) {
		if (*text == (char)c)
			return (char *)(uintptr_t)text;
		if (!*text)
			return NULL;
	}
}

char *strrchr(const char *text, int c)
{
	const char *found = NULL;

	do
		if (*text == (char)c)
			found = text;
	while (*text++);
	return (char *)(uintptr_t)found;
}

char *strstr(const char *text, const char *part)
{
	size_t bytes = strlen(part);

	for (;; text++) {
		if (!strncmp(text, part, bytes))
			return (char *)(uintptr_t)text;
		if (!*text)
			return NULL;
	}
}
