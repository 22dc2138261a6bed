/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks and atomic words of mcpi_cores.h: LDQ_L and STQ_C, and the barriers around them. */
#include "mcpi_cores.h"
#include "xkernel/atomic/word.h"

/* Waits by plain loads: the block stays in each cache until the holder writes it. */
void mcpi_lock(struct mcpi_lock *lock)
{
	do
		while (atomic_look(&lock->taken))
			;
	while (!atomic_take(&lock->taken));
	barrier_acquire();
}

void mcpi_unlock(struct mcpi_lock *lock)
{
	barrier_release();
	atomic_publish(&lock->taken, 0);
	barrier_drain();
}

uint64_t mcpi_atomic_add(uint64_t *word, uint64_t what)
{
	return atomic_add(word, what);
}

int mcpi_compare_swap(uint64_t *word, uint64_t old, uint64_t value)
{
	return atomic_compare_swap(word, old, value);
}

void mcpi_fence(void)
{
	barrier_release();
}
