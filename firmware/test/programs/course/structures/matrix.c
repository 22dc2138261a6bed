/* SPDX-License-Identifier: BSD-2-Clause */
/* A system of equations by elimination. */
#include <math.h>
#include <stdio.h>
enum { N = 5 };
int main(void)
{
	double a[N][N + 1];
	for (int i = 0; i < N; i++)
		for (int j = 0; j <= N; j++)
			a[i][j] = j == N ? i + 1 : 1.0 / (i + j + 1);
	for (int k = 0; k < N; k++) {
		int p = k;
		for (int i = k + 1; i < N; i++)
			if (fabs(a[i][k]) > fabs(a[p][k]))
				p = i;
		for (int j = 0; j <= N; j++) {
			double t = a[k][j];
			a[k][j] = a[p][j];
			a[p][j] = t;
		}
		for (int i = 0; i < N; i++)
			if (i != k) {
				double f = a[i][k] / a[k][k];
				for (int j = k; j <= N; j++)
					a[i][j] -= f * a[k][j];
			}
	}
	for (int i = 0; i < N; i++)
		printf("%.6f\n", a[i][N] / a[i][i]);
	return 0;
}
