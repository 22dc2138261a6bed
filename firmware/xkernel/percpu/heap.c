/* SPDX-License-Identifier: BSD-2-Clause */
/* The heap of several processors, in the place of xkernel/memory/allocate.c: the same lists of
 * blocks of powers of two, under one lock. */
#include <stddef.h>
#include <stdint.h>

#include "xkernel/console.h"
#include "xkernel/lock/lock.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/memory/block.h"
#include "xkernel/memory/memory.h"

enum { HEAP_BYTES = 8 << 20 };

/* Not in .bss: nobody reads a block before it is written. */
static uint8_t heap[HEAP_BYTES] __attribute__((aligned(128), section(".noinit,\"aw\",@nobits#")));
static size_t heap_used;
static block_lists free_blocks;
static struct lock heap_lock;

static void *take(size_t bytes)
{
	uint64_t size = block_size(bytes);

	if (size > LARGEST)
		return NULL;
	return block_take(&free_blocks, heap, HEAP_BYTES, &heap_used, size);
}

static void give(void *block)
{
	if (!block)
		return;
	if (block_give(&free_blocks, block) && XK_CHECKS)
		console_fail("a block is freed twice", NULL);
}

size_t xk_allocate_several(size_t bytes, void **blocks, size_t most)
{
	size_t n = 0;

	lock_acquire(&heap_lock, LOCK_MUTEX);
	while (n < most && (blocks[n] = take(bytes)))
		n++;
	lock_release(&heap_lock, LOCK_MUTEX);
	return n;
}

void xk_free_several(void **blocks, size_t n)
{
	lock_acquire(&heap_lock, LOCK_MUTEX);
	while (n--)
		give(blocks[n]);
	lock_release(&heap_lock, LOCK_MUTEX);
}

void *xk_allocate(size_t bytes)
{
	void *block;

	return xk_allocate_several(bytes, &block, 1) ? block : NULL;
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
	xk_free_several(&block, 1);
}
