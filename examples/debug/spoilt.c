/* SPDX-License-Identifier: BSD-2-Clause */
/* A function spoils table[5]; a watchpoint and reverse-continue find it (docs/how-to/debug.md). The
 * arrays low and high lie a D-cache apart, so that each evicts the other. */
#include <stdio.h>

static int table[64];
static int low[2048], high[2048]; /* 8 KB each */

__attribute__((noinline)) static int fill(int *to, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		to[i] = i;
		sum += to[i];
	}
	return sum;
}

__attribute__((noinline)) static void spoil(int at)
{
	char *byte = (char *)&table[at];

	byte[3] = 1;
}

int main(void)
{
	int sum = fill(table, 64);

	spoil(5);
	sum += fill(low, 2048) + fill(high, 2048);
	for (int i = 0; i < 64; i++)
		sum += low[i] + high[i];
	for (int i = 0; i < 20000; i++) /* longer than from one timer interrupt to the next */
		sum = sum * 5 + 1;
	printf("%d %d\n", sum & 0xFF, table[5]);
	return 0;
}
