/* SPDX-License-Identifier: BSD-2-Clause */
/* Cores that wait for ever, or for long, or fail (test_exec_cores.py). */
#include <assert.h>
#include <mcpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOCKS = 1, BARRIER, COMPUTES, TIMER, FAILS, EXITS };
enum { LONG = 1000000, INTERRUPTS = 40, CODE = 7 };

static struct mcpi_lock locks[2];
static volatile int interrupts;

/* Each takes its lock, and then wants the other's. */
static __attribute__((noinline)) void both(int me)
{
	mcpi_lock(&locks[me]);
	for (volatile int n = 0; n < 1000; n++)
		;
	mcpi_lock(&locks[1 - me]);
}

static __attribute__((noinline)) void alone(void)
{
	mcpi_barrier();
}

static void computes(void)
{
	for (long n = 0; n < LONG; n++)
		mcpi_keep(n);
}

static void on_timer(void)
{
	interrupts++;
}

static void wait(void *unused)
{
	(void)unused;
	if (WAIT == LOCKS && mcpi_core() < 2)
		both(mcpi_core());
	if (WAIT == COMPUTES && !mcpi_core())
		computes();
	if (mcpi_core() == 1) {
		assert(WAIT != FAILS);
		if (WAIT == EXITS)
			exit(CODE);
	}
	if (WAIT >= COMPUTES)
		mcpi_barrier();
}

int main(void)
{
	printf("begin\n");
	if (WAIT == TIMER) {
		mcpi_on_timer(on_timer);
		mcpi_interrupts_on();
		while (interrupts < INTERRUPTS)
			;
		mcpi_interrupts_off();
	}
	if (WAIT == BARRIER)
		alone();
	mcpi_on_all_cores(wait, 0);
	printf("end\n");
	return 0;
}
