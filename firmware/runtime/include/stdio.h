/* SPDX-License-Identifier: BSD-2-Clause */
/* printf to the console. Conversions: d i u x X o c s p %, in programs with floating point also
 * f e g and their capitals; flags - 0 + and blank, width, precision (both also *), and l ll h hh z
 * t j.
 * Files lie in memory: those of --file, to read, and those that the program writes, until it ends.
 * scanf: d i u x o c s [] %, f e g, with width, * and sizes. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

#define EOF (-1)
#define BUFSIZ 1024
#define FOPEN_MAX 16
#define FILENAME_MAX 256
enum { SEEK_SET, SEEK_CUR, SEEK_END };

typedef struct mcpi_file FILE;
extern FILE *const stdin, *const stdout, *const stderr; /* both outputs are the console */

int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int vprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
int snprintf(char *to, size_t bytes, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *to, size_t bytes, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int sprintf(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int vsprintf(char *to, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
int puts(const char *text);
int putchar(int c);
void perror(const char *what); /* and why: errno.h */

FILE *fopen(const char *name, const char *mode); /* r, w, a, with + and b */
int fclose(FILE *file);
int fflush(FILE *file);
int remove(const char *name);
size_t fread(void *to, size_t bytes, size_t count, FILE *file);
size_t fwrite(const void *from, size_t bytes, size_t count, FILE *file);
int fgetc(FILE *file);
int getc(FILE *file);
int getchar(void);
int ungetc(int c, FILE *file);
char *fgets(char *to, int bytes, FILE *file);
int fputc(int c, FILE *file);
int putc(int c, FILE *file);
int fputs(const char *text, FILE *file);
int fseek(FILE *file, long offset, int from);
long ftell(FILE *file);
void rewind(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
int fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int vfprintf(FILE *file, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
int scanf(const char *format, ...) __attribute__((format(scanf, 1, 2)));
int fscanf(FILE *file, const char *format, ...) __attribute__((format(scanf, 2, 3)));
int sscanf(const char *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));
int vfscanf(FILE *file, const char *format, va_list arguments) __attribute__((format(scanf, 2, 0)));

__END_DECLS
