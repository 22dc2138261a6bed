/* SPDX-License-Identifier: BSD-2-Clause */
/* A function that is called every few ticks, on both machines. */
static volatile int sum;

__attribute__((noinline)) void work(int n)
{
	sum += n;
}

int main(void)
{
	for (int n = 0; n < 1000; n++)
		work(n);
	return 0;
}
