/* SPDX-License-Identifier: BSD-2-Clause */
/* Processes: their beginning and end, sleep, priorities, turns. */
#include "test/kernel/bench.h"
#include "xkernel/thread/event.h"

static void returns(uint64_t boot)
{
	CHECK_EQUAL(((const struct boot_params *)boot)->timer_hz, 1024);
	note('r');
}

CASE(program_that_returns_has_exit_code_0)
{
	CHECK_EQUAL(run_program(returns), 0);
	CHECK_NOTES("r");
}

static int inside(int status)
{
	if (status)
		user_exit(status);
	return 1;
}

static void exits(uint64_t boot)
{
	if (inside(boot != 0 ? 7 : 0))
		note('!');
}

CASE(program_that_exits_from_deep_inside)
{
	CHECK_EQUAL(run_program(exits), 7);
	CHECK(strstr(host_console(), "system calls 1"));
}

static void child(uint64_t argument)
{
	note((char)argument);
	user_exit((int)argument);
}

static void waits(uint64_t boot)
{
	int a, b;

	(void)boot;
	a = user_start(child, 'a', PRIORITY_USER);
	b = user_start(child, 'b', PRIORITY_USER);
	note('p');
	CHECK_EQUAL(user_wait(b), 'b');
	CHECK_EQUAL(user_wait(a), 'a');
	CHECK_EQUAL(user_wait(a), ERROR_BAD_NUMBER);
	CHECK_EQUAL(user_wait(user_self()), ERROR_NOT_OURS);
	CHECK_EQUAL(user_wait(-1), ERROR_BAD_NUMBER);
	CHECK_EQUAL(user_wait(PROCESSES), ERROR_BAD_NUMBER);
}

CASE(children_are_waited_for)
{
	CHECK_EQUAL(run_program(waits), 0);
	CHECK_NOTES("pab");
}

static void orphans(uint64_t boot)
{
	(void)boot;
	CHECK(user_start(child, 'a', PRIORITY_USER) >= 0);
	CHECK(user_start(child, 'b', PRIORITY_USER) >= 0);
}

/* The machine ends with the last process of the first program's space. */
CASE(parent_ends_first)
{
	CHECK_EQUAL(run_program(orphans), 'b');
	CHECK_NOTES("ab");
}

static void takes_turns(uint64_t argument)
{
	for (int i = 0; i < 3; i++) {
		note((char)argument);
		user_yield();
	}
}

static void two_take_turns(uint64_t boot)
{
	(void)boot;
	user_start(takes_turns, 'a', PRIORITY_USER);
	user_start(takes_turns, 'b', PRIORITY_USER);
}

CASE(yield_lets_the_other_run)
{
	run_program(two_take_turns);
	CHECK_NOTES("ababab");
}

static void keeps_on(uint64_t argument)
{
	for (int i = 0; i < 3; i++) {
		note((char)argument);
		user_self();
	}
}

static void two_keep_on(uint64_t boot)
{
	(void)boot;
	user_start(keeps_on, 'a', PRIORITY_USER);
	user_start(keeps_on, 'b', PRIORITY_USER);
}

CASE(system_call_lets_nobody_else_run)
{
	run_program(two_keep_on);
	CHECK_NOTES("aaabbb");
}

static char channel;

static void sleeper(uint64_t argument)
{
	CHECK_EQUAL(user_sleep(&channel), 0);
	note((char)argument);
}

static void wakes(uint64_t boot)
{
	(void)boot;
	user_start(sleeper, 'a', PRIORITY_USER);
	user_start(sleeper, 'b', PRIORITY_USER);
	user_yield();
	user_wakeup(&note); /* nobody sleeps on it */
	user_yield();
	note('1');
	user_wakeup(&channel);
	note('2');
}

CASE(wakeup_wakes_all_and_takes_nobodys_turn)
{
	run_program(wakes);
	CHECK_NOTES("12ab");
}

/* second is of higher priority, in a space of its own. */
static void urgent(uint64_t boot)
{
	(void)boot;
	note('1');
	CHECK_EQUAL(user_sleep(&channel), 0);
	note('3');
	user_start(child, 'c', PRIORITY_USER);
	note('4');
	CHECK_EQUAL(user_sleep(&channel), 0);
	note('6');
}

static void wakes_the_urgent(uint64_t boot)
{
	(void)boot;
	note('2');
	user_wakeup(&channel);
	note('5');
	user_wakeup(&channel);
	note('7');
}

CASE(higher_priority_runs_before_the_call_returns)
{
	second_program = urgent;
	second_priority = PRIORITY_SERVER;
	run_program(wakes_the_urgent);
	CHECK_NOTES("1234567"); /* and the machine ends with the first program */
}

static void raises(uint64_t boot)
{
	(void)boot;
	CHECK(user_start(keeps_on, 'a', PRIORITY_INPUT) >= 0);
	note('1');
	user_self();
	note('2');
}

CASE(program_cannot_raise_its_priority)
{
	run_program(raises);
	CHECK_NOTES("12aaa");
}

static void computes(uint64_t argument)
{
	for (int i = 0; i < 4; i++) {
		compute_ms(8);
		note((char)argument);
	}
}

static void two_compute(uint64_t boot)
{
	(void)boot;
	user_start(computes, 'a', PRIORITY_USER);
	user_start(computes, 'b', PRIORITY_USER);
}

/* 8 ms are within a quantum of 10 ms, 16 ms are not. */
CASE(quantum_ends_a_turn)
{
	run_program(two_compute);
	CHECK(!strstr(notes, "aaa") && !strstr(notes, "bbb"));
	CHECK(user_mode_counts.taken >= 3);
}

static void one_computes(uint64_t boot)
{
	(void)boot;
	computes('a');
}

CASE(quantum_alone_takes_nothing)
{
	CHECK_EQUAL(run_program(one_computes), 0);
	CHECK_EQUAL(user_mode_counts.taken, 0);
	CHECK_EQUAL(user_mode_counts.switches, 1);
}

/* From an interrupt handler: many requests, one run, before the process goes on. */
static void on_network(void)
{
	void host_raise_network(int);

	host_raise_network(0);
	note('i');
	softint_request();
	softint_request();
}

static void is_interrupted(uint64_t boot)
{
	void host_raise_network(int);

	(void)boot;
	plat_on_network(on_network);
	note('1');
	host_raise_network(1);
	compute();
	note('2');
	host_raise_network(1);
	compute();
	note('3');
}

CASE(software_interrupt_runs_before_the_process_goes_on)
{
	run_program(is_interrupted);
	CHECK_NOTES("1is2is3");
	CHECK_EQUAL(softint_counts.requested, 4);
	CHECK_EQUAL(softint_counts.run, 2);
}

static void pauses(uint64_t ms)
{
	uint64_t before = user_ticks(), passed;

	CHECK_EQUAL(user_pause(ms * 1000), 0);
	passed = user_ticks() - before;
	CHECK(passed >= ms * TICKS_PER_MS - TICKS_PER_MS && passed <= (ms + 2) * TICKS_PER_MS);
	note((char)('0' + ms / 10));
}

static void two_pause(uint64_t boot)
{
	(void)boot;
	user_start(pauses, 30, PRIORITY_USER);
	user_start(pauses, 10, PRIORITY_USER);
	pauses(20);
}

CASE(pauses_end_by_time)
{
	CHECK_EQUAL(run_program(two_pause), 0);
	CHECK_NOTES("123");
}

static int sleeper_number;

static void never_woken(uint64_t argument)
{
	(void)argument;
	note('z');
	user_sleep(&channel);
	note('!'); /* not in user mode any more */
}

static void end_it(void *arg)
{
	(void)arg;
	process_end(process_find(sleeper_number), -5, "ended by the case");
}

static void waits_for_the_ended(uint64_t boot)
{
	static struct event later;

	(void)boot;
	sleeper_number = user_start(never_woken, 0, PRIORITY_USER);
	event_schedule(&later, end_it, NULL, 5000);
	CHECK_EQUAL(user_wait(sleeper_number), -5);
	note('w');
}

CASE(sleeping_process_is_ended)
{
	CHECK_EQUAL(run_program(waits_for_the_ended), 0);
	CHECK_NOTES("zw");
}

static void pauses_for_ever(uint64_t argument)
{
	(void)argument;
	note('z');
	user_pause(1000000);
	note('!');
}

static void waits_for_the_pausing(uint64_t boot)
{
	static struct event later;

	(void)boot;
	sleeper_number = user_start(pauses_for_ever, 0, PRIORITY_USER);
	event_schedule(&later, end_it, NULL, 5000);
	CHECK_EQUAL(user_wait(sleeper_number), -5);
	user_pause(2000000); /* the event of its pause is gone */
	note('w');
}

CASE(pausing_process_is_ended)
{
	run_program(waits_for_the_pausing);
	host_run(4000 * (uint64_t)TICKS_PER_MS, 0);
	CHECK_NOTES("zw");
}

static void ends_itself(uint64_t boot)
{
	(void)boot;
	process_end(process_self(), -9, "a rule was broken");
	user_self();
	note('!');
}

CASE(first_program_that_is_ended_fails_the_machine)
{
	CHECK_EQUAL(run_program(ends_itself), 1);
	CHECK_NOTES("");
	CHECK(strstr(host_console(), "first") && strstr(host_console(), "a rule was broken"));
}

static void starts_too_many(uint64_t boot)
{
	int n, last = 0;

	(void)boot;
	for (n = 0; (last = user_start(keeps_on, 'a', PRIORITY_USER)) >= 0; n++)
		;
	CHECK_EQUAL(last, ERROR_NO_MEMORY);
	CHECK_EQUAL(n, SPACE_REGIONS - 2); /* its own stack, the boot parameters */
}

CASE(threads_of_a_space_are_limited)
{
	run_program(starts_too_many);
}

static void start_without_memory(uint64_t boot)
{
	(void)boot;
	for (uint64_t skip = 0; skip < 1; skip++) {
		host_fail_allocations(skip, 1);
		CHECK_EQUAL(user_start(child, 'a', PRIORITY_USER), ERROR_NO_MEMORY);
	}
	host_fail_allocations(0, 0);
	CHECK_EQUAL(user_wait(user_start(child, 'a', PRIORITY_USER)), 'a');
}

CASE(thread_without_memory)
{
	CHECK_EQUAL(run_program(start_without_memory), 0);
	CHECK_NOTES("a");
}
