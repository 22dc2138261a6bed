/* SPDX-License-Identifier: BSD-2-Clause */
/* The heap of one processor. */
#include "xkernel/memory/allocate.h"

#include <stdint.h>

#include "xkernel/memory/block.h"
#include "xkernel/memory/memory.h"

enum { HEAP_BYTES = 4 << 20 };

/* Not in .bss: nobody reads a block before it is written, so start-up need not clear 4 MB. */
static uint8_t heap[HEAP_BYTES] __attribute__((aligned(64), section(".noinit,\"aw\",@nobits#")));
static size_t heap_used;
static block_lists free_blocks;

void *xk_allocate(size_t bytes)
{
	uint64_t size = SMALLEST;
	size_t total = bytes + sizeof(struct block);

	if (total < bytes || total > (size_t)1 << LARGEST)
		return NULL;
	while (total > (size_t)1 << size)
		size++;
	return block_take(&free_blocks, heap, HEAP_BYTES, &heap_used, size);
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
	if (block)
		block_give(&free_blocks, block);
}
