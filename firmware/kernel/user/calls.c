/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/user/calls.h"

void user_exit(int status)
{
	for (;;)
		user_call(CALL_EXIT, (uint64_t)status, 0, 0, 0, 0);
}

void user_yield(void)
{
	user_call(CALL_YIELD, 0, 0, 0, 0, 0);
}

int user_self(void)
{
	return (int)user_call(CALL_SELF, 0, 0, 0, 0, 0);
}

int user_start(void (*entry)(uint64_t), uint64_t argument, enum priority priority)
{
	return (int)user_call(CALL_START, (uintptr_t)entry, argument, priority, 0, 0);
}

int user_wait(int child)
{
	return (int)user_call(CALL_WAIT, (uint64_t)child, 0, 0, 0, 0);
}

/* By way of the stack: a text lies in the image, which is not the program's memory. */
void user_print(const char *text)
{
	char line[64];
	uint64_t n;

	while (*text) {
		for (n = 0; n < sizeof line && text[n]; n++)
			line[n] = text[n];
		user_call(CALL_PRINT, (uintptr_t)line, n, 0, 0, 0);
		text += n;
	}
}

void user_print_number(uint64_t number)
{
	char digits[24], *p = digits + sizeof digits - 1;

	*p = 0;
	do
		*--p = (char)('0' + number % 10);
	while (number /= 10);
	user_print(p);
}

uint64_t user_ticks(void)
{
	return (uint64_t)user_call(CALL_TICKS, 0, 0, 0, 0, 0);
}

int user_pause(uint64_t us)
{
	return (int)user_call(CALL_PAUSE, us, 0, 0, 0, 0);
}

void *user_memory(uint64_t bytes)
{
	int64_t start = user_call(CALL_MEMORY, bytes, 0, 0, 0, 0);

	return start == ERROR_NO_MEMORY ? NULL : (void *)(uintptr_t)start;
}

int user_sleep_unlocked(const void *channel, uint64_t *lock)
{
	return (int)user_call(CALL_SLEEP, (uintptr_t)channel, (uintptr_t)lock, 0, 0, 0);
}

int user_sleep(const void *channel)
{
	return user_sleep_unlocked(channel, NULL);
}

void user_wakeup(const void *channel)
{
	user_call(CALL_WAKEUP, (uintptr_t)channel, 0, 0, 0, 0);
}
