/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks that are one word, taken by test and set: tas, ttas, back-off. None is fair. */
#include "xkernel/lock/lock.h"
#include "xkernel/lock/waiting.h"

enum { FIRST_PAUSE = 16, LAST_PAUSE = 1024 }; /* turns of an empty loop */

void lock_tas_acquire(struct lock *l)
{
	struct waiting w = { 0 };

	while (!atomic_take(&l->word))
		waiting_turn(&w, &l->word, 1);
	barrier_acquire();
	waiting_ends(&w);
}

void lock_ttas_acquire(struct lock *l)
{
	struct waiting w = { 0 };

	while (!atomic_take(&l->word))
		while (atomic_read(&l->word))
			waiting_turn(&w, &l->word, 1);
	barrier_acquire();
	waiting_ends(&w);
}

static void pause_for(uint64_t turns)
{
	while (turns--)
		__asm__ volatile("");
}

void lock_backoff_acquire(struct lock *l)
{
	struct waiting w = { 0 };
	uint64_t pause = FIRST_PAUSE;

	while (!atomic_take(&l->word)) {
		pause_for(pause);
		if (pause < LAST_PAUSE)
			pause *= 2;
		while (atomic_read(&l->word))
			waiting_turn(&w, &l->word, 1);
	}
	barrier_acquire();
	waiting_ends(&w);
}

void lock_word_release(struct lock *l)
{
	barrier_release();
	atomic_publish(&l->word, 0);
	barrier_drain();
}
