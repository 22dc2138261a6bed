/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of string.h that programs call less often. */
#include "ctype.h"
#include "stdlib.h"
#include "string.h"

#include <stdint.h>

size_t strspn(const char *text, const char *accepted)
{
	size_t count = 0;

	while (text[count] && strchr(accepted, text[count]))
		count++;
	return count;
}

size_t strcspn(const char *text, const char *refused)
{
	size_t count = 0;

	while (text[count] && !strchr(refused, text[count]))
		count++;
	return count;
}

char *strpbrk(const char *text, const char *wanted)
{
	text += strcspn(text, wanted);
	return *text ? (char *)(uintptr_t)text : NULL;
}

char *strtok_r(char *restrict text, const char *restrict between, char **restrict rest)
{
	char *word = text ? text : *rest;

	word += strspn(word, between);
	*rest = word + strcspn(word, between);
	if (!*word)
		return NULL;
	if (**rest)
		*(*rest)++ = 0;
	return word;
}

char *strtok(char *restrict text, const char *restrict between)
{
	static char *rest;

	return strtok_r(text, between, &rest);
}

char *strncat(char *restrict to, const char *restrict from, size_t bytes)
{
	char *end = to + strlen(to);
	size_t length = strnlen(from, bytes);

	memcpy(end, from, length);
	end[length] = 0;
	return to;
}

size_t strnlen(const char *text, size_t bytes)
{
	size_t count = 0;

	while (count < bytes && text[count])
		count++;
	return count;
}

char *strndup(const char *text, size_t bytes)
{
	size_t length = strnlen(text, bytes);
	char *copy = malloc(length + 1);

	if (copy) {
		memcpy(copy, text, length);
		copy[length] = 0;
	}
	return copy;
}

char *strdup(const char *text)
{
	return strndup(text, (size_t)-1);
}

int strcoll(const char *a, const char *b)
{
	return strcmp(a, b);
}

int strncasecmp(const char *a, const char *b, size_t bytes)
{
	for (; bytes--; a++, b++)
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b) || !*a)
			return tolower((unsigned char)*a) - tolower((unsigned char)*b);
	return 0;
}

int strcasecmp(const char *a, const char *b)
{
	return strncasecmp(a, b, (size_t)-1);
}
