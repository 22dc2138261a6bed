/* SPDX-License-Identifier: BSD-2-Clause */
/* Roots by Newton, in double and in float. */
#include <math.h>
#include <stdio.h>
int main(void)
{
	for (int n = 1; n < 20; n++) {
		double x = n;
		float y = n;
		for (int i = 0; i < 20; i++) {
			x = (x + n / x) / 2;
			y = (y + n / y) / 2;
		}
		printf("%d %.15g %.8g %d\n", n, x, y, x * x == n);
		if (fabs(x - sqrt(n)) > 1e-14)
			printf("far\n");
	}
	return 0;
}
