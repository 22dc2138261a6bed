/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions with any number of arguments, of every kind. */
#include <stdarg.h>
#include <stdio.h>
static double sum(const char *kinds, ...)
{
	va_list list;
	double s = 0;
	va_start(list, kinds);
	for (; *kinds; kinds++)
		s += *kinds == 'd'   ? va_arg(list, double)
		     : *kinds == 'l' ? (double)va_arg(list, long)
				     : va_arg(list, int);
	va_end(list);
	return s;
}
int main(void)
{
	printf("%g %g\n", sum("didlidd", 1.5, 2, 2.25, 4L, 5, 6.125, 7.0),
	       sum("iiiiiiiid", 1, 2, 3, 4, 5, 6, 7, 8, 0.5));
	printf("%d %.2f %s %c %ld %e %x %g\n", 1, 2.5, "three", '4', 5L, 6.0, 7, 8.0f);
	return 0;
}
