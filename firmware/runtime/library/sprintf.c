/* SPDX-License-Identifier: BSD-2-Clause */
/* printf to a buffer whose room is not given. */
#include "stdio.h"

#include <limits.h>

int vsprintf(char *to, const char *format, va_list arguments)
{
	return vsnprintf(to, INT_MAX, format, arguments);
}

int sprintf(char *to, const char *format, ...)
{
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = vsprintf(to, format, arguments);
	va_end(arguments);
	return result;
}
