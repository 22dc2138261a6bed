/* SPDX-License-Identifier: BSD-2-Clause */
/* A knapsack, by dynamic programming. */
#include <stdio.h>
int main(void)
{
	static const int weight[] = { 12, 7, 11, 8, 9, 6, 5, 14 },
			 value[] = { 24, 13, 23, 15, 16, 11, 9, 28 };
	static int best[51];
	for (int i = 0; i < 8; i++)
		for (int w = 50; w >= weight[i]; w--)
			if (best[w - weight[i]] + value[i] > best[w])
				best[w] = best[w - weight[i]] + value[i];
	for (int w = 0; w <= 50; w += 10)
		printf("%d %d\n", w, best[w]);
	return 0;
}
