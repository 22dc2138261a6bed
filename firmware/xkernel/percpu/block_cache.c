/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/percpu/block_cache.h"

#include "xkernel/console.h"
#include "xkernel/memory/block.h"
#include "xkernel/percpu/percpu.h"

enum { AT_ONCE = 8, MOST_KEPT = 2 * AT_ONCE };

_Static_assert((int)PERCPU_CLASSES > (int)LARGEST, "a list for each size");

static void keep(struct percpu *p, uint64_t size, void *block)
{
	struct free_block *f = (struct free_block *)((struct block *)block - 1);

	f->block.magic = 0; /* as in the heap: freed twice is seen */
	f->next = p->blocks[size];
	p->blocks[size] = f;
	p->blocks_kept[size]++;
}

/* The kept block freed last, in use again. */
static void *unkeep(struct percpu *p, uint64_t size)
{
	struct free_block *f = p->blocks[size];

	p->blocks[size] = f->next;
	p->blocks_kept[size]--;
	f->block.magic = BLOCK_MAGIC;
	return &f->block + 1;
}

void *block_cache_take(size_t bytes)
{
	struct percpu *p = percpu();
	uint64_t size = block_size(bytes);
	void *several[AT_ONCE];

	if (PREDICT_FALSE(size > LARGEST))
		return NULL;
	if (!p->blocks[size])
		for (size_t n = xk_allocate_several(bytes, several, AT_ONCE); n; n--)
			keep(p, size, several[n - 1]);
	return p->blocks[size] ? unkeep(p, size) : NULL;
}

void block_cache_give(void *block)
{
	struct percpu *p = percpu();
	struct block *b = (struct block *)block - 1;
	uint64_t size = b->size;
	void *several[AT_ONCE];

	if (PREDICT_FALSE(b->magic != BLOCK_MAGIC)) {
		if (XK_CHECKS)
			console_fail("a piece of a message is freed twice", NULL);
		return;
	}
	keep(p, size, block);
	if (p->blocks_kept[size] <= MOST_KEPT)
		return;
	for (int n = 0; n < AT_ONCE; n++)
		several[n] = unkeep(p, size);
	xk_free_several(several, AT_ONCE);
}
