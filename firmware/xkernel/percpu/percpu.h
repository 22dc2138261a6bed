/* SPDX-License-Identifier: BSD-2-Clause */
/* The state that each processor has for itself. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "xkernel/lock/lock.h"

enum {
	PERCPU_NODES = 16,  /* queue nodes: as many locks as it may hold or wait for */
	PERCPU_CLASSES = 18 /* sizes of blocks: their log2 is below */
};

struct percpu {
	uint64_t number;
	uint64_t lock_waits, lock_turns; /* locks found taken; turns of waiting */
	uint64_t wants, wants_at;	 /* with XK_CHECKS: a lock that is asked for, and where */
	struct lock_node *nodes;	 /* unused ones */
	uint64_t nodes_kept;
	void *blocks[PERCPU_CLASSES]; /* for messages (block_cache.h), last in first out */
	uint64_t blocks_kept[PERCPU_CLASSES];
} __attribute__((aligned(128)));

_Static_assert(sizeof(struct percpu) % XK_MP_BLOCK == 0, "processors share no block");

#if XK_MP
extern struct percpu percpu_of[XK_CPUS];

#ifdef __alpha__
register struct percpu *percpu_mine __asm__("$8"); /* images with XK_MP are built -ffixed-8 */
#else
extern _Thread_local struct percpu *percpu_mine;
#endif

void percpu_start(uint64_t number); /* on that processor, once, before all else */

static inline struct percpu *percpu(void)
{
	return percpu_mine;
}

static inline uint64_t percpu_number(void)
{
	return percpu_mine->number;
}

/* Nodes of MCS and CLH locks; those of all processors in use at once end the machine. */
struct lock_node *percpu_node_take(void);
void percpu_node_give(struct lock_node *node);
#else
static inline uint64_t percpu_number(void)
{
	return 0;
}
#endif
