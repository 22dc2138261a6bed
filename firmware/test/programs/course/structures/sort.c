/* SPDX-License-Identifier: BSD-2-Clause */
/* Three sorts, and the library's, of doubles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}
static void quick(double *a, int n)
{
	if (n < 2)
		return;
	double pivot = a[n / 2];
	int i = 0, j = n - 1;
	for (;; i++, j--) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i >= j)
			break;
		double t = a[i];
		a[i] = a[j];
		a[j] = t;
	}
	quick(a, i);
	quick(a + i, n - i);
}
static void insert(double *a, int n)
{
	for (int i = 1; i < n; i++) {
		double v = a[i];
		int j = i;
		for (; j && a[j - 1] > v; j--)
			a[j] = a[j - 1];
		a[j] = v;
	}
}
int main(void)
{
	double a[60], b[60], c[60];
	for (int i = 0; i < 60; i++)
		a[i] = b[i] = c[i] = (i * 7919 % 101 - 50) / 8.0;
	quick(a, 60);
	insert(b, 60);
	qsort(c, 60, sizeof *c, compare);
	double key = -3.5;
	double *at = bsearch(&key, c, 60, sizeof *c, compare);
	printf("%d %d %ld\n", memcmp(a, b, sizeof a), memcmp(a, c, sizeof a),
	       at ? (long)(at - c) : -1L);
	for (int i = 0; i < 60; i++)
		printf("%g ", a[i]);
	puts("");
	return 0;
}
