/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands before a block of the heap of several processors (heap.c). */
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

/* log2 of a block for so many bytes; above LARGEST: there is none. */
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
