/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a word of each of so many pages, round after round (test_exec_mapped.py). */
#include <mcpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef PAGE
#define PAGE 8192
#define FEW 4
#define MANY 40
#define FAULT 0
#endif

enum { LINE = 32, ROUNDS = 3 };

static char memory[(FEW + MANY) * (PAGE + LINE)] __attribute__((aligned(PAGE)));
static volatile long counted;

/* A page and a line further each time, so that no two words share a line of the D-cache. Neither
 * loop reads anything else. */
#define WALK(name, first, pages)                                                                   \
	{                                                                                          \
		const volatile char *at = (first);                                                 \
		long left = (pages);                                                               \
                                                                                                   \
		__asm__ volatile("" : "+r"(at), "+r"(left));                                       \
		MCPI_MEASURE_AS(name)                                                              \
		for (; left; left--, at += PAGE + LINE)                                            \
			(void)*at;                                                                 \
	}

static void on_timer(void)
{
	counted++;
}

int main(void)
{
	for (int n = 0; n < ROUNDS; n++) {
		WALK("few", memory, FEW);
		WALK("few again", memory, FEW);
		WALK("many", memory + FEW * (PAGE + LINE), MANY);
	}
	mcpi_on_timer(on_timer);
	mcpi_interrupts_on();
	while (counted < 2)
		;
	mcpi_interrupts_off();
	if (FAULT == 1)
		*(volatile long *)8 = 1; /* page 0 has no entry */
	if (FAULT == 2)
		*(volatile long *)(200UL << 20) = 1; /* no page is there */
	if (FAULT == 3)
		((void (*)(void))(100UL << 20))();
	printf("%d %d\n", (int)counted, malloc(100) != NULL);
	return 0;
}
