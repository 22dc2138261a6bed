/* SPDX-License-Identifier: BSD-2-Clause */
/* Mean, deviation, least and most of numbers. */
#include <math.h>
#include <stdio.h>
int main(void)
{
	double sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
	unsigned x = 1;
	for (int n = 0; n < 200; n++) {
		x = x * 1103515245 + 12345;
		double v = (x >> 16) / 65536.0 * 100 - 50;
		sum += v;
		squares += v * v;
		least = fmin(least, v);
		most = fmax(most, v);
	}
	printf("%.6f %.6f %g %g\n", sum / 200, sqrt(squares / 200 - sum * sum / 40000), least,
	       most);
	return 0;
}
