/* SPDX-License-Identifier: BSD-2-Clause */
/* What is counted of waiting, and the debug build's checks of who holds what. */
#include "xkernel/lock/lock.h"

#include "xkernel/console.h"
#include "xkernel/lock/waiting.h"
#include "xkernel/percpu/percpu.h"

void waiting_count(const struct waiting *w)
{
	struct percpu *mine = percpu();

	mine->lock_waits++;
	mine->lock_turns += w->turns;
}

static void say(const char *what, uint64_t number)
{
	console_text(what);
	console_number(number);
}

void waiting_too_long(const struct waiting *w)
{
	uint64_t holder = atomic_read(&w->lock->holder);

	say("lock at ", (uintptr_t)w->lock);
	say(": processor ", percpu_number());
	if (holder)
		say(" waits for processor ", holder - 1);
	else
		console_text(" waits, nobody holds it");
	console_text("\n");
	console_fail("a lock was waited for too long", NULL);
}

void lock_check_wanted(const struct lock *l)
{
	if (atomic_read(&l->holder) == percpu_number() + 1)
		console_fail("a processor wants a lock that it holds", NULL);
}

void lock_check_taken(struct lock *l)
{
	if (atomic_read(&l->holder))
		console_fail("two processors hold a lock", NULL);
	atomic_write(&l->holder, percpu_number() + 1);
}

void lock_check_release(struct lock *l)
{
	if (atomic_read(&l->holder) != percpu_number() + 1)
		console_fail("a lock is released by a processor that does not hold it", NULL);
	atomic_write(&l->holder, 0);
}
