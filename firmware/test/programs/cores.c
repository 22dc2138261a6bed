/* SPDX-License-Identifier: BSD-2-Clause */
/* All that mcpi_cores.h has, on as many cores as there are (test_exec_cores.py). The exit code says
 * what was wrong. */
#include <mcpi.h>
#include <stdio.h>

enum { COUNTS = 100, MOST = 8, WRONG_LOCK = 1, WRONG_ADD, WRONG_SWAP, WRONG_BARRIER };

static struct mcpi_lock lock;
static uint64_t locked, added, swapped;
static struct {
	uint64_t seen;
} own[MOST] __attribute__((aligned(MCPI_BLOCK)));
static int late;

static __attribute__((noinline)) void counts(void)
{
	for (int n = 0; n < COUNTS; n++) {
		mcpi_lock(&lock);
		locked++;
		mcpi_unlock(&lock);
	}
	mcpi_barrier(); /* all at once */
	for (int n = 0; n < COUNTS; n++)
		mcpi_atomic_add(&added, 1);
	mcpi_barrier();
	for (int n = 0; n < COUNTS; n++)
		for (int done = 0; !done;) {
			uint64_t seen = *(volatile uint64_t *)&swapped;

			done = mcpi_compare_swap(&swapped, seen, seen + 1);
		}
}

static void count(void *round)
{
	const uint64_t number = *(uint64_t *)round;

	MCPI_MEASURE_AS("counting")
	counts();
	if (!mcpi_core())
		MCPI_MEASURE_AS("of core 0")
	mcpi_fence();
	own[mcpi_core()].seen = number;
	mcpi_barrier();
	for (int n = 0; n < mcpi_cores(); n++)
		if (own[n].seen != number)
			late = 1;
	mcpi_barrier();
}

int main(void)
{
	const uint64_t all = 2UL * COUNTS * mcpi_cores();

	for (uint64_t round = 1; round <= 2; round++)
		mcpi_on_all_cores(count, &round);
	printf("%d cores:", mcpi_cores());
	for (int n = 0; n < mcpi_cores(); n++)
		printf(" %d", own[n].seen == 2 ? n : -1);
	printf("\n");
	return locked != all	? WRONG_LOCK
	       : added != all	? WRONG_ADD
	       : swapped != all ? WRONG_SWAP
	       : late		? WRONG_BARRIER
				: 0;
}
