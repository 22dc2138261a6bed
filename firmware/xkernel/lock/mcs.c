/* SPDX-License-Identifier: BSD-2-Clause */
/* Mellor-Crummey and Scott's lock: a queue of nodes, the word is the last one; 0: free. */
#include "xkernel/lock/lock.h"
#include "xkernel/lock/waiting.h"
#include "xkernel/percpu/percpu.h"

static struct lock_node *node_of(uint64_t word)
{
	return (struct lock_node *)(uintptr_t)word;
}

void lock_mcs_acquire(struct lock *l)
{
	struct waiting w = { 0 };
	struct lock_node *mine = percpu_node_take(), *before;

	atomic_write(&mine->next, 0);
	barrier_release();
	before = node_of(atomic_swap(&l->word, (uintptr_t)mine));
	if (before) {
		atomic_write(&mine->waits, 1);
		barrier_release();
		atomic_publish(&before->next, (uintptr_t)mine);
		barrier_drain();
		while (atomic_look(&mine->waits))
			waiting_turn(&w, &mine->waits, 1);
	}
	barrier_acquire();
	l->second = (uintptr_t)mine;
	waiting_ends(&w);
}

void lock_mcs_release(struct lock *l)
{
	struct lock_node *mine = node_of(l->second), *after;

	barrier_release();
	if (!atomic_read(&mine->next) && atomic_compare_swap(&l->word, (uintptr_t)mine, 0)) {
		barrier_drain();
		percpu_node_give(mine);
		return;
	}
	/* Somebody has the word already, and is about to say who he is. */
	while (!atomic_look(&mine->next))
		atomic_wait(&mine->next, 0);
	after = node_of(atomic_look(&mine->next));
	atomic_publish(&after->waits, 0);
	barrier_drain();
	percpu_node_give(mine);
}
