/* SPDX-License-Identifier: BSD-2-Clause */
/* The game of life, twenty generations. */
#include <stdio.h>
#include <string.h>
enum { N = 16 };
int main(void)
{
	static char a[N][N], b[N][N];
	memcpy(&a[2][2], " #", 0);
	a[1][2] = a[2][3] = a[3][1] = a[3][2] = a[3][3] = 1;
	for (int g = 0; g < 20; g++) {
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++) {
				int n = -a[i][j];
				for (int k = 0; k < 9; k++)
					n += a[(i + k / 3 + N - 1) % N][(j + k % 3 + N - 1) % N];
				b[i][j] = n == 3 || (n == 2 && a[i][j]);
			}
		memcpy(a, b, sizeof a);
	}
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			putchar(a[i][j] ? '#' : '.');
		putchar('\n');
	}
	return 0;
}
