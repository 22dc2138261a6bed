/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of stdio.h that read and write more than a byte. */
#include "runtime/library/file.h"
#include "stdlib.h"
#include "string.h"

int fgetc(FILE *file)
{
	return mcpi_file_get(file);
}

int getc(FILE *file)
{
	return mcpi_file_get(file);
}

int getchar(void)
{
	return mcpi_file_get(stdin);
}

int putc(int c, FILE *file)
{
	return fputc(c, file);
}

char *fgets(char *to, int bytes, FILE *file)
{
	int n = 0, c = 0;

	while (n < bytes - 1 && c != '\n' && (c = mcpi_file_get(file)) != EOF)
		to[n++] = (char)c;
	if (!n)
		return NULL;
	to[n] = 0;
	return to;
}

int fputs(const char *text, FILE *file)
{
	while (*text)
		if (fputc(*text++, file) == EOF)
			return EOF;
	return 0;
}

size_t fread(void *to, size_t bytes, size_t count, FILE *file)
{
	char *at = to;
	size_t n, c;
	int byte;

	for (n = 0; bytes && n < count; n++)
		for (c = 0; c < bytes; c++) {
			byte = mcpi_file_get(file);
			if (byte == EOF)
				return n;
			*at++ = (char)byte;
		}
	return n;
}

size_t fwrite(const void *from, size_t bytes, size_t count, FILE *file)
{
	const char *at = from;
	size_t n, c;

	for (n = 0; bytes && n < count; n++)
		for (c = 0; c < bytes; c++)
			if (fputc(*at++, file) == EOF)
				return n;
	return n;
}

void rewind(FILE *file)
{
	fseek(file, 0, SEEK_SET);
	clearerr(file);
}

int vfprintf(FILE *file, const char *format, va_list arguments)
{
	va_list again;
	char *text;
	int length;

	if (!file->content)
		return vprintf(format, arguments);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = malloc((size_t)length + 1);
	if (!text)
		return -1;
	vsnprintf(text, (size_t)length + 1, format, arguments);
	if (fwrite(text, 1, (size_t)length, file) < (size_t)length)
		length = -1;
	free(text);
	return length;
}

int fprintf(FILE *file, const char *format, ...)
{
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = vfprintf(file, format, arguments);
	va_end(arguments);
	return result;
}
