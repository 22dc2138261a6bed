/* SPDX-License-Identifier: BSD-2-Clause */
/* Structures with floats and doubles, given and returned; pointers to functions. */
#include <stdio.h>
struct point {
	float x, y;
};
struct big {
	double a[5];
	int n;
};
static struct point add(struct point p, struct point q)
{
	return (struct point){ p.x + q.x, p.y + q.y };
}
static struct big fill(double v, int n)
{
	struct big b = { { 0 }, n };
	for (int i = 0; i < 5; i++)
		b.a[i] = v * i;
	return b;
}
static double apply(double (*f)(double, float), double x, float y)
{
	return f(x, y);
}
static double power(double x, float y)
{
	double r = 1;
	for (; y >= 1; y -= 1)
		r *= x;
	return r;
}
int main(void)
{
	struct point p = add((struct point){ 1.5f, 2 }, (struct point){ -.25f, 1e10f });
	struct big b = fill(0.1, 3);
	union {
		double d;
		unsigned long u;
		float f[2];
	} u = { .d = -2.5 };
	printf("%g %g %.17g %d %g\n", p.x, p.y, b.a[3], b.n, apply(power, 1.1, 5));
	printf("%lx %g %d %d %lu\n", u.u, u.f[1], (int)-2.9, (unsigned char)200.7,
	       (unsigned long)1e19);
	return 0;
}
