/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of waiting, and the debug build's checks of the holders of locks. */
#include "xkernel/lock/lock.h"

#include "xkernel/console.h"
#include "xkernel/lock/waiting.h"
#include "xkernel/percpu/percpu.h"

void waiting_count(uint64_t turns)
{
	struct percpu *mine = percpu();

	mine->lock_waits++;
	mine->lock_turns += turns;
}

/* The holder's word: 1 + his number below, where he took it above. */
enum { NUMBER_BITS = 8 };

static uint64_t number_of(uint64_t holder)
{
	return holder & ((1u << NUMBER_BITS) - 1);
}

static void say(const char *what, uint64_t number)
{
	console_text(what);
	console_number(number);
}

static void say_at(uint64_t address)
{
	char digits[17];
	int i = sizeof digits;

	digits[--i] = 0;
	do {
		digits[--i] = "0123456789abcdef"[address & 15];
		address >>= 4;
	} while (address);
	console_text(" at 0x");
	console_text(digits + i);
}

/* A lock, who has it and who waits for it: a line each. */
static void say_lock(const struct lock *l)
{
	uint64_t holder = atomic_read(&l->holder);

	console_text("lock");
	say_at((uintptr_t)l);
	if (holder) {
		say(": processor ", number_of(holder) - 1);
		console_text(" holds it, taken");
		say_at((uint64_t)((int64_t)holder >> NUMBER_BITS));
	} else {
		console_text(": nobody holds it");
	}
	console_text("\n");
	for (int i = 0; i < XK_CPUS; i++) {
		if (atomic_read(&percpu_of[i].wants) != (uintptr_t)l)
			continue;
		say("  processor ", (uint64_t)i);
		console_text(" waits");
		say_at(atomic_read(&percpu_of[i].wants_at));
		console_text("\n");
	}
}

static int is_said(int cpu, uint64_t lock)
{
	for (int i = 0; i < cpu; i++)
		if (atomic_read(&percpu_of[i].wants) == lock)
			return 1;
	return 0;
}

/* Processors that wait meanwhile have the locks that matter. The first that gives up says it. */
void waiting_too_long(void)
{
	static uint64_t said;

	if (atomic_add(&said, 1) != 1)
		for (;;)
			atomic_wait(&said, 1);
	for (int i = 0; i < XK_CPUS; i++) {
		uint64_t lock = atomic_read(&percpu_of[i].wants);

		if (lock && !is_said(i, lock))
			say_lock((const struct lock *)(uintptr_t)lock);
	}
	console_fail("a lock was waited for too long", NULL);
}

void lock_check_wanted(const struct lock *l)
{
	struct percpu *mine = percpu();

	if (number_of(atomic_read(&l->holder)) == mine->number + 1)
		console_fail("a processor wants a lock that it holds", NULL);
	atomic_write(&mine->wants_at, (uintptr_t)__builtin_return_address(0));
	atomic_write(&mine->wants, (uintptr_t)l);
}

void lock_check_taken(struct lock *l)
{
	struct percpu *mine = percpu();

	if (atomic_read(&l->holder))
		console_fail("two processors hold a lock", NULL);
	atomic_write(&l->holder,
		     mine->number + 1 + ((uintptr_t)__builtin_return_address(0) << NUMBER_BITS));
	atomic_write(&mine->wants, 0);
}

void lock_check_release(struct lock *l)
{
	if (number_of(atomic_read(&l->holder)) != percpu_number() + 1)
		console_fail("a lock is released by a processor that does not hold it", NULL);
	atomic_write(&l->holder, 0);
}
