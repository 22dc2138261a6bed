/* SPDX-License-Identifier: BSD-2-Clause */
/* A priority queue in an array. */
#include <stdio.h>
static int heap[100], count;
static void push(int v)
{
	int i = count++;
	for (; i && heap[(i - 1) / 2] > v; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = v;
}
static int pop(void)
{
	int top = heap[0], v = heap[--count], i = 0, c;
	while ((c = 2 * i + 1) < count) {
		if (c + 1 < count && heap[c + 1] < heap[c])
			c++;
		if (heap[c] >= v)
			break;
		heap[i] = heap[c];
		i = c;
	}
	heap[i] = v;
	return top;
}
int main(void)
{
	for (int i = 0; i < 50; i++)
		push(i * 37 % 101);
	while (count)
		printf("%d ", pop());
	puts("");
	return 0;
}
