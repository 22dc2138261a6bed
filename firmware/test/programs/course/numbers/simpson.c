/* SPDX-License-Identifier: BSD-2-Clause */
/* An integral by Simpson. */
#include <math.h>
#include <stdio.h>
static double square(double x)
{
	return x * x;
}
static double integral(double (*f)(double), double a, double b, int n)
{
	double h = (b - a) / n, sum = f(a) + f(b);
	for (int i = 1; i < n; i++)
		sum += f(a + i * h) * (i % 2 ? 4 : 2);
	return sum * h / 3;
}
int main(void)
{
	printf("%.10f %.10f %.10f\n", integral(square, 0, 3, 10), integral(sin, 0, M_PI, 20),
	       integral(exp, 0, 1, 10));
	return 0;
}
