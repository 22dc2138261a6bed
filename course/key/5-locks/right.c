/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/atomic/word.h"

/* A queue of nodes (Mellor-Crummey and Scott): each processor spins on a block of its own, so that
 * a release concerns the next processor alone. */
struct node {
	uint64_t waits, next;
} __attribute__((aligned(128)));

struct spin {
	uint64_t last; /* the last node of the queue; 0: free */
};

static struct node nodes[8];

static void spin_take(struct spin *s, unsigned processor)
{
	struct node *mine = &nodes[processor], *before;

	atomic_write(&mine->next, 0);
	barrier_release();
	before = (struct node *)(uintptr_t)atomic_swap(&s->last, (uintptr_t)mine);
	if (before) {
		atomic_write(&mine->waits, 1);
		barrier_release();
		atomic_publish(&before->next, (uintptr_t)mine);
		barrier_drain();
		while (atomic_look(&mine->waits))
			;
	}
	barrier_acquire();
}

static void spin_give(struct spin *s, unsigned processor)
{
	struct node *mine = &nodes[processor];
	uint64_t next;

	barrier_release();
	if (!atomic_read(&mine->next) && atomic_compare_swap(&s->last, (uintptr_t)mine, 0)) {
		barrier_drain();
		return;
	}
	while (!(next = atomic_look(&mine->next)))
		;
	atomic_publish(&((struct node *)(uintptr_t)next)->waits, 0);
	barrier_drain();
}
