/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/atomic/word.h"

/* The processors that wait read a copy in their own caches; each release takes all copies away. */
struct spin {
	uint64_t word; /* 1: taken */
};

static void spin_take(struct spin *s, unsigned processor)
{
	(void)processor;
	while (!atomic_take(&s->word))
		while (atomic_read(&s->word))
			;
	barrier_acquire();
}

static void spin_give(struct spin *s, unsigned processor)
{
	(void)processor;
	barrier_release();
	atomic_publish(&s->word, 0);
	barrier_drain();
}
