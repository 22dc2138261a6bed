/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of powers of two, freed into last-in first-out lists: constant time, warm blocks first.
 * Blocks are never joined again; the kernel asks for few sizes. */
#include "xkernel/allocate.h"

#include <stdint.h>

#include "xkernel/memory.h"

enum {
	HEAP_BYTES = 4 << 20,
	SMALLEST = 6, /* 64 bytes with header */
	LARGEST = 17,
	BLOCK_MAGIC = 0x626c6f63, /* in a block that is in use */
};

struct block {
	uint64_t size; /* log2 */
	uint64_t magic;
};

struct free_block {
	struct block block;
	struct free_block *next;
};

/* Not in .bss: nobody reads a block before it is written, so start-up need not clear 4 MB. */
static uint8_t heap[HEAP_BYTES] __attribute__((aligned(64), section(".noinit,\"aw\",@nobits#")));
static size_t heap_used;
static struct free_block *free_blocks[LARGEST + 1];

void *xk_allocate(size_t bytes)
{
	uint64_t size = SMALLEST;
	size_t total = bytes + sizeof(struct block);
	struct free_block *f;

	if (total < bytes || total > (size_t)1 << LARGEST)
		return NULL;
	while (total > (size_t)1 << size)
		size++;
	f = free_blocks[size];
	if (f) {
		free_blocks[size] = f->next;
	} else {
		if (HEAP_BYTES - heap_used < (size_t)1 << size)
			return NULL;
		f = (struct free_block *)(heap + heap_used);
		heap_used += (size_t)1 << size;
		f->block.size = size;
	}
	f->block.magic = BLOCK_MAGIC;
	return &f->block + 1;
}

void *xk_allocate_zeroed(size_t bytes)
{
	void *block = xk_allocate(bytes);

	if (block)
		memset(block, 0, bytes);
	return block;
}

void xk_free(void *block)
{
	struct free_block *f;

	if (!block)
		return;
	f = (struct free_block *)((struct block *)block - 1);
	if (f->block.magic != BLOCK_MAGIC)
		return; /* freed twice: better lost than handed out twice */
	f->block.magic = 0;
	f->next = free_blocks[f->block.size];
	free_blocks[f->block.size] = f;
}
