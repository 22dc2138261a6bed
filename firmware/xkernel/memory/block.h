/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of powers of two, freed into last-in first-out lists: constant time, warm blocks first.
 * Blocks are never joined again; the kernel asks for few sizes. allocate.c and percpu/heap.c have
 * the memory, and take and give back by functions that are always in line: the compiler then sees
 * that no pointer leads to the lists, as in code that is written out, and no measured image moves.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
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

typedef struct free_block *block_lists[LARGEST + 1];

/* log2 of a block for so many bytes; above LARGEST: there is none. Not for allocate.c, whose code
 * would be other than what is measured. */
static inline uint64_t block_size(size_t bytes)
{
	uint64_t size = SMALLEST;
	size_t total = bytes + sizeof(struct block);

	if (total < bytes || total > (size_t)1 << LARGEST)
		return LARGEST + 1;
	while (total > (size_t)1 << size)
		size++;
	return size;
}

/* A block of a list or, if that is empty, of memory that was never used; NULL: there is none. */
static inline __attribute__((always_inline)) void *
block_take(block_lists *lists, uint8_t *heap, size_t heap_bytes, size_t *heap_used, uint64_t size)
{
	struct free_block *f = (*lists)[size];

	if (f) {
		(*lists)[size] = f->next;
	} else {
		if (heap_bytes - *heap_used < (size_t)1 << size)
			return NULL;
		f = (struct free_block *)(heap + *heap_used);
		*heap_used += (size_t)1 << size;
		f->block.size = size;
	}
	f->block.magic = BLOCK_MAGIC;
	return &f->block + 1;
}

/* -1: it is not in use. A block that is freed twice is better lost than handed out twice. */
static inline __attribute__((always_inline)) int block_give(block_lists *lists, void *block)
{
	struct free_block *f = (struct free_block *)((struct block *)block - 1);

	if (f->block.magic != BLOCK_MAGIC)
		return -1;
	f->block.magic = 0;
	f->next = (*lists)[f->block.size];
	(*lists)[f->block.size] = f;
	return 0;
}
