/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/tcp_case.h"
#include "xkernel/thread/semaphore.h"
#include "xkernel/thread/thread.h"

static struct thread threads[8], waiting[8];
static struct semaphore s;
static char order[64];
static const void *stacks[8];

static void note(char c)
{
	order[strlen(order)] = c;
}

static void letter(void *arg)
{
	int here;

	stacks[(uintptr_t)arg] = &here;
	note((char)('a' + (uintptr_t)arg));
}

static void start_letters(void *)
{
	for (uintptr_t i = 0; i < 4; i++)
		thread_ready(&threads[i], letter, (void *)i);
	note('-');
}

/* In order, none before its starter ends, all on the same warm stack; without XK_CONT each
 * on another. */
CASE(thread_run_to_completion, kernel_start())
{
	host_call(start_letters, NULL);
	CHECK(!strcmp(order, "-abcd"));
	for (int i = 1; i < 4; i++)
		CHECK((stacks[i] == stacks[0]) == XK_CONT);
}

static void waiter(void *arg)
{
	char name = (char)('a' + (uintptr_t)arg);

	note(name);
	CHECK_EQUAL(sem_wait(&s), 0);
	CHECK(thread_self() == &threads[(uintptr_t)arg]);
	note((char)(name - 'a' + 'A'));
}

static void start_waiters(void *)
{
	sem_init(&s, 1);
	for (uintptr_t i = 0; i < 4; i++)
		thread_ready(&threads[i], waiter, (void *)i);
}

static void signal_two(void *)
{
	sem_signal(&s);
	sem_signal(&s);
	note('-'); /* V does not yield */
}

CASE(thread_semaphore_is_fair, kernel_start())
{
	host_call(start_waiters, NULL);
	CHECK(!strcmp(order, "aAbcd"));
	host_call(signal_two, NULL);
	CHECK(!strcmp(order, "aAbcd-BC"));
	host_call(signal_two, NULL);
	CHECK(!strcmp(order, "aAbcd-BC-D"));
	CHECK_EQUAL(s.count, 1);
}

static void yielder(void *arg)
{
	for (int i = 0; i < 3; i++) {
		note((char)('a' + (uintptr_t)arg));
		thread_yield();
	}
}

static void start_yielders(void *)
{
	for (uintptr_t i = 0; i < 3; i++)
		thread_ready(&threads[i], yielder, (void *)i);
}

CASE(thread_yield, kernel_start())
{
	host_call(start_yielders, NULL);
	CHECK(!strcmp(order, "abcabcabc"));
}

static void continued(void *arg)
{
	int here;

	stacks[4] = &here;
	note((char)('A' + (uintptr_t)arg));
}

static void wait_by_continuation(void *arg)
{
	note((char)('a' + (uintptr_t)arg));
	sem_wait_continuation(&s, &waiting[(uintptr_t)arg], continued, arg);
}

static void start_continuations(void *)
{
	sem_init(&s, 0);
	for (uintptr_t i = 0; i < 3; i++)
		thread_ready(&threads[i], wait_by_continuation, (void *)i);
}

/* A thread that waits by continuation keeps no stack: three waiters take no memory. */
CASE(thread_continuations, kernel_start())
{
	host_call(start_letters, NULL);
	memset(order, 0, sizeof order);
	uint64_t before = host_blocks_in_use();
	host_call(start_continuations, NULL);
	CHECK_EQUAL(host_blocks_in_use(), before);
	host_call(signal_two, NULL);
	CHECK(!strcmp(order, "abc-AB"));
	sem_signal(&s);
	sem_signal(&s);
	wait_ms(2);
	CHECK(!strcmp(order, "abc-ABC"));
	CHECK_EQUAL(s.count, 1);
}

static void wait_without_memory(void *)
{
	host_fail_allocations(0, 1000);
	if (!XK_CONT)
		return;
	CHECK_EQUAL(sem_wait(&s), -1);
	host_fail_allocations(0, 0);
	CHECK_EQUAL(s.count, 0);
	CHECK(s.first == NULL);
	note('x');
}

CASE(thread_no_stack_left, kernel_start())
{
	sem_init(&s, 0);
	host_call(wait_without_memory, NULL);
	CHECK(!strcmp(order, XK_CONT ? "x" : "")); /* else there are stacks in advance */
}
