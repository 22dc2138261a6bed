/* SPDX-License-Identifier: BSD-2-Clause */
/* A lock of the sync bus, as the Power Series has them: test and set, but of a bit outside memory.
 * A lock gets its number the first time that somebody wants it, and keeps it. An access to the bus
 * waits for the stores before it, so a release needs no drain behind it. */
#include <stddef.h>

#include "xkernel/console.h"
#include "xkernel/lock/lock.h"
#include "xkernel/lock/sync/bus.h"
#include "xkernel/lock/waiting.h"

static struct {
	uint64_t word;
} given __attribute__((aligned(XK_MP_BLOCK))); /* numbers so far; 0 is nobody's */

#ifndef __alpha__
uint64_t sync_words[SYNC_LOCKS];
#endif

static uint64_t first_number(struct lock *l)
{
	uint64_t mine = atomic_add(&given.word, 1);

	if (mine >= SYNC_LOCKS)
		console_fail("the sync bus has no lock left", NULL);
	if (!atomic_compare_swap(&l->second, 0, mine))
		mine = atomic_read(&l->second); /* another was first: ours is lost */
	return mine;
}

void lock_sync_acquire(struct lock *l)
{
	struct waiting w = { 0 };
	uint64_t number = atomic_read(&l->second);

	if (PREDICT_FALSE(!number))
		number = first_number(l);
	while (!sync_take(number))
		waiting_turn(&w, sync_word(number), 1);
	barrier_acquire();
	waiting_ends(&w);
}

void lock_sync_release(struct lock *l)
{
	barrier_release();
	sync_give(atomic_read(&l->second));
}
