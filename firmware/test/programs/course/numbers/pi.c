/* SPDX-License-Identifier: BSD-2-Clause */
/* Pi by three series. */
#include <math.h>
#include <stdio.h>
int main(void)
{
	double leibniz = 0, product = 1;
	for (int n = 0; n < 2000; n++)
		leibniz += (n % 2 ? -4.0 : 4.0) / (2 * n + 1);
	for (int n = 1; n < 500; n++)
		product *= 4.0 * n * n / (4.0 * n * n - 1);
	printf("%.12f %.12f %.15f\n", leibniz, 2 * product,
	       16 * atan(1 / 5.0) - 4 * atan(1 / 239.0));
	return 0;
}
