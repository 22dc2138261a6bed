/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases that a call must refuse: unknown numbers, and memory that is not the caller's. */
#include "test/kernel/bench.h"

static uint8_t kernel_data[64];
static uint8_t *others;

static int64_t print(const void *address, uint64_t bytes)
{
	return user_call(CALL_PRINT, (uintptr_t)address, bytes, 0, 0, 0);
}

static void prints(uint64_t boot)
{
	uint8_t *mine = user_memory(100), on_stack[4] = "abc";
	int i;

	(void)boot;
	for (i = 0; i < 100; i++)
		CHECK_EQUAL(mine[i], 0);
	CHECK_EQUAL(print(mine, 100), 100);
	CHECK_EQUAL(print(mine + 99, 1), 1);
	CHECK_EQUAL(print(on_stack, 3), 3);
	CHECK_EQUAL(print(mine + 100, 0), 0);
	CHECK_EQUAL(print(NULL, 0), 0);
	CHECK_EQUAL(syscall_counts.bad_address, 0);
	CHECK_EQUAL(print(mine, 101), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(print(mine + 99, 2), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(print(mine + 100, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(print(mine - 1, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(print(mine + 1, UINT64_MAX), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(print(NULL, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(print((void *)UINTPTR_MAX, 2), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(print(kernel_data, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(print(others, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(syscall_counts.bad_address, 9);
	CHECK_EQUAL(user_call(CALLS, 0, 0, 0, 0, 0), ERROR_NO_CALL);
	CHECK_EQUAL(user_call(UINT64_MAX, 0, 0, 0, 0, 0), ERROR_NO_CALL);
	CHECK_EQUAL(syscall_counts.unknown, 2);
}

static void has_memory(uint64_t boot)
{
	(void)boot;
	others = user_memory(10);
	user_sleep(&others); /* for ever */
}

CASE(memory_of_others_is_refused)
{
	second_program = has_memory;
	second_priority = PRIORITY_INPUT;
	CHECK_EQUAL(run_program(prints), 0);
}

static void without_structure(uint64_t boot)
{
	struct socket_name name = { 0, 0 };
	uint8_t byte;

	(void)boot;
	CHECK_EQUAL(user_call(CALL_SOCKET, 0, 0, 0, 0, 0), ERROR_NO_CALL);
	CHECK_EQUAL(user_call(CALL_BIND, 0, 7, 0, 0, 0), ERROR_NO_CALL);
	CHECK_EQUAL(user_call(CALL_LIMITS, 0, 7, 0, 0, 0), ERROR_NO_CALL);
	CHECK_EQUAL(user_call(CALL_RECEIVE, 0, (uintptr_t)&byte, 1, 0, 1), ERROR_NO_CALL);
	CHECK_EQUAL(user_call(CALL_SEND, 0, (uintptr_t)&byte, 1, (uintptr_t)&name, 0),
		    ERROR_NO_CALL);
	CHECK_EQUAL(user_call(CALL_SEND, 0, (uintptr_t)&byte, 1, 0, 0), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(user_call(CALL_RECEIVE, 0, (uintptr_t)&byte, 1, 8, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(user_call(CALL_CLOSE, 0, 0, 0, 0, 0), ERROR_NO_CALL);
	CHECK_EQUAL(user_call(CALL_FRAME_SEND, (uintptr_t)&byte, 1, 0, 0, 0), ERROR_NO_CALL);
}

CASE(calls_that_a_structure_does_not_have)
{
	CHECK_EQUAL(run_program(without_structure), 0);
}

static void allocates_memory(uint64_t boot)
{
	int n = 0;

	(void)boot;
	CHECK(!user_memory(0));
	CHECK(!user_memory(UINT64_MAX));
	CHECK(!user_memory(UINT64_MAX - 70));
	host_fail_allocations(0, 1);
	CHECK(!user_memory(100));
	while (user_memory(1000))
		n++;
	CHECK_EQUAL(n, SPACE_REGIONS - 2);
}

CASE(memory_is_limited)
{
	CHECK_EQUAL(run_program(allocates_memory), 0);
}
