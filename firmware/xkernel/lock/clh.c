/* SPDX-License-Identifier: BSD-2-Clause */
/* Craig, Landin and Hagersten's lock: each waits for the node before his own, which then is his.
 * The word is the last node; 0: free. That is not in the original, whose free lock has a node: so a
 * release tries a compare-and-swap first, and a lock of zeroes needs nothing else. */
#include "xkernel/lock/lock.h"
#include "xkernel/lock/waiting.h"
#include "xkernel/percpu/percpu.h"

static struct lock_node *node_of(uint64_t word)
{
	return (struct lock_node *)(uintptr_t)word;
}

void lock_clh_acquire(struct lock *l)
{
	struct waiting w = { 0 };
	struct lock_node *mine = percpu_node_take(), *before;

	atomic_write(&mine->waits, 1);
	barrier_release();
	before = node_of(atomic_swap(&l->word, (uintptr_t)mine));
	if (before) {
		while (atomic_look(&before->waits))
			waiting_turn(&w, &before->waits, 1);
		percpu_node_give(before);
	}
	barrier_acquire();
	l->second = (uintptr_t)mine;
	waiting_ends(&w);
}

void lock_clh_release(struct lock *l)
{
	struct lock_node *mine = node_of(l->second);

	barrier_release();
	if (atomic_compare_swap(&l->word, (uintptr_t)mine, 0))
		percpu_node_give(mine);
	else
		atomic_publish(&mine->waits, 0);
	barrier_drain();
}
