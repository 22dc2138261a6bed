/* SPDX-License-Identifier: BSD-2-Clause */
/* printf to the console. Conversions: d i u x X o c s p %, with flags - 0 + and blank, width,
 * precision (both also *), and l ll h hh z t j. No floating point: the machine has none. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

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
