/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/kernel/bench.h"

#include "xkernel/thread/event.h"
#include "xkernel/thread/shepherd.h"

int kernel_main(void); /* kernel/main.c */

void (*second_program)(uint64_t boot);
enum priority second_priority = PRIORITY_USER;
char notes[256];

static void (*first)(uint64_t boot);
static uint64_t blocks_at_start;
static size_t noted;

void note(char c)
{
	CHECK(noted < sizeof notes - 1);
	notes[noted++] = c;
}

int shepherd_init(void)
{
	return 0;
}

static void soft_interrupt(void)
{
	note('s');
}

static int start(void)
{
	struct program second = { .name = "second",
				  .entry = second_program,
				  .priority = second_priority };

	softint_start(soft_interrupt);
	blocks_at_start = host_blocks_in_use() - host_stacks();
	return second_program && !process_start_with_boot(&second) ? -1 : 0;
}

static const struct count counts[] = {
	{ "system calls", &syscall_counts.calls },
	{ NULL, NULL },
};

const struct structure structure = { .name = "bench", .start = start, .counts = counts };

static void first_entry(uint64_t boot)
{
	first(boot);
}

const struct program first_program = { .name = "first",
				       .entry = first_entry,
				       .priority = PRIORITY_USER };

int run_program(void (*program)(uint64_t boot))
{
	struct boot_params boot = { .timer_hz = 1024, .ticks_per_us = 175 };

	first = program;
	host_start(&boot, kernel_main);
	host_run(MS_OF_A_RUN * (uint64_t)TICKS_PER_MS, 0);
	return host_exit_code();
}

/* After each case in which all programs have ended: their memory is free again. */
void case_ends(void)
{
	int alive = 0;

	for (int n = 0; n < PROCESSES; n++)
		alive += process_find(n) != NULL;
	if (!alive)
		CHECK_EQUAL(host_blocks_in_use() - host_stacks(), blocks_at_start);
}

void compute(void)
{
	plat_ipl_raise(IPL_HIGH);
	plat_wait_for_interrupt();
	plat_ipl_set(IPL_NONE);
	user_self();
}

static void nothing(void *arg)
{
	*(int *)arg = 1;
}

void compute_ms(uint64_t ms)
{
	struct event wake = { 0 };
	int over = 0;

	event_schedule(&wake, nothing, &over, ms * 1000);
	while (!over)
		compute();
}
