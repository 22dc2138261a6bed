/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/atomic/word.h"

/* Between the load and the store another processor does the same. */
struct spin {
	uint64_t word; /* 1: taken */
};

static void spin_take(struct spin *s, unsigned processor)
{
	(void)processor;
	while (atomic_look(&s->word))
		;
	atomic_publish(&s->word, 1);
	barrier_acquire();
}

static void spin_give(struct spin *s, unsigned processor)
{
	(void)processor;
	barrier_release();
	atomic_publish(&s->word, 0);
	barrier_drain();
}
