/* SPDX-License-Identifier: BSD-2-Clause */
/* scanf with all its forms. */
#include <stdio.h>
int main(void)
{
	int a = 0, b = 0, n = 0;
	long l = 0;
	float f = 0;
	double d = 0;
	char s[20], t[20], c;
	printf("%d ",
	       sscanf("12 0x1f -5 2.5 1e3 abc, d-e x", "%d %i %ld %f %lf %19[a-z], %19[^ ] %c%n",
		      &a, &b, &l, &f, &d, s, t, &c, &n));
	printf("%d %d %ld %g %g %s %s %c %d\n", a, b, l, f, d, s, t, c, n);
	printf("%d %d %d\n", sscanf("x", "%d", &a), sscanf("", "%d", &a),
	       sscanf("7:8", "%d:%*d", &a));
	n = sscanf("1234", "%2d%d", &a, &b);
	printf("%d %d %d\n", n, a, b);
	return 0;
}
