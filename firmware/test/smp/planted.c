/* SPDX-License-Identifier: BSD-2-Clause */
/* Mistakes, which the host's build must find: test_smp.py expects each to fail. */
#include <sched.h>

#include "test/smp/processors.h"
#include "xkernel/lock/counting.h"
#include "xkernel/message/msg.h"
#include "xkernel/percpu/block_cache.h"

static struct lock lock, other;
static uint64_t plain, word;

static void race(unsigned number, void *arg)
{
	for (int n = 0; n < 1000; n++)
		plain++;
}

CASE(planted_race)
{
	on_processors(4, race, NULL);
}

/* No race for C11, but no addition either. */
static void lose(unsigned number, void *arg)
{
	for (int n = 0; n < 100000; n++) {
		uint64_t old = atomic_read(&word);

		if (n % 100 == 0)
			sched_yield();
		atomic_write(&word, old + 1);
	}
}

CASE(planted_lost_update)
{
	on_processors(8, lose, NULL);
	CHECK_EQUAL(word, 800000);
}

static void take_twice(unsigned number, void *arg)
{
	lock_acquire(&lock, LOCK_TAS);
	lock_acquire(&lock, LOCK_TAS);
}

CASE(planted_taken_twice)
{
	on_processors(1, take_twice, NULL);
}

static void release_anothers(unsigned number, void *arg)
{
	lock_release(&lock, LOCK_TAS);
}

CASE(planted_released_by_another)
{
	on_processors(2, release_anothers, NULL);
}

/* Two locks in either order: each waits for what the other has. */
static void circle(unsigned number, void *arg)
{
	struct lock *first = number ? &lock : &other, *then = number ? &other : &lock;

	lock_acquire(first, LOCK_TICKET);
	atomic_add(&word, 1);
	while (atomic_look(&word) < 2)
		sched_yield();
	lock_acquire(then, LOCK_TICKET);
}

CASE(planted_circle)
{
	on_processors(2, circle, NULL);
}

static void free_twice(unsigned number, void *arg)
{
	void *block = xk_allocate(100);

	xk_free(block);
	xk_free(block);
}

CASE(planted_freed_twice)
{
	on_processors(1, free_twice, NULL);
}

/* Two messages that share a leaf, and one that is destroyed again. */
static void destroy_twice(unsigned number, void *arg)
{
	struct msg m, copy;

	CHECK(!msg_init_bytes(&m, 100));
	copy = m;
	msg_destroy(&m);
	piece_free(copy.front);
}

CASE(planted_message_freed_twice)
{
	on_processors(1, destroy_twice, NULL);
}

static void too_many(unsigned number, void *arg)
{
	static struct lock many[PERCPU_NODES + 1];

	for (int i = 0; i <= PERCPU_NODES; i++)
		lock_acquire(&many[i], LOCK_MCS);
}

CASE(planted_too_many_locks)
{
	on_processors(1, too_many, NULL);
}
