/* SPDX-License-Identifier: BSD-2-Clause */
/* Does the order of three loops matter? The product of two matrices of bits (AND in place of a
 * multiplication, which takes 21 ticks), element by element, row by row, and in blocks that fit
 * into the D-cache. */
#include <assert.h>
#include <mcpi.h>
#include <string.h>

enum { N = 60, BLOCK = 12 };

static int a[N][N], b[N][N], c[N][N], wanted[N][N];

static void by_element(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++)
				c[i][j] += a[i][k] & b[k][j];
}

static void by_row(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[i][k] & b[k][j];
}

static void in_blocks(void)
{
	for (int j0 = 0; j0 < N; j0 += BLOCK)
		for (int k0 = 0; k0 < N; k0 += BLOCK)
			for (int i = 0; i < N; i++)
				for (int j = j0; j < j0 + BLOCK; j++) {
					int sum = c[i][j];

					for (int k = k0; k < k0 + BLOCK; k++)
						sum += a[i][k] & b[k][j];
					c[i][j] = sum;
				}
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i + j;
			b[i][j] = i - j;
		}
	MCPI_MEASURE_AS("by element")
	by_element();
	memcpy(wanted, c, sizeof c);
	memset(c, 0, sizeof c);
	MCPI_MEASURE_AS("by row")
	by_row();
	assert(!memcmp(wanted, c, sizeof c));
	memset(c, 0, sizeof c);
	MCPI_MEASURE_AS("in blocks")
	in_blocks();
	assert(!memcmp(wanted, c, sizeof c));
	return 0;
}
