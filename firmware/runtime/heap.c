/* SPDX-License-Identifier: BSD-2-Clause */
/* malloc: first fit in one list of blocks by address, neighbours joined when one is freed. */
#include "platform/platform.h"
#include "stdlib.h"
#include "string.h"

#include <stdint.h>

extern char image_end[]; /* link.ld */

enum { UNIT = 16 };

/* Before each object; `bytes` are those behind it. */
struct block {
	size_t bytes;
	struct block *next_free;
};
_Static_assert(sizeof(struct block) == UNIT, "objects are aligned as blocks are");

static struct block *first_free;
static int started;

static size_t rounded(size_t bytes)
{
	return (bytes + UNIT - 1) & ~(size_t)(UNIT - 1);
}

static struct block *behind(struct block *b)
{
	return (struct block *)((char *)(b + 1) + b->bytes);
}

static void start(void)
{
	uintptr_t from = rounded((uintptr_t)image_end);
	uintptr_t segment = from & ~(uintptr_t)0xffffffff; /* KSEG: RAM ends at ram_bytes in it */
	struct block *all = (struct block *)from;

	started = 1;
	all->bytes = segment + plat_boot()->ram_bytes - from - sizeof *all;
	all->next_free = NULL;
	first_free = all;
}

void *malloc(size_t bytes)
{
	struct block **link = &first_free, *found, *rest;

	if (!started)
		start();
	if (bytes > SIZE_MAX - 2 * UNIT)
		return NULL;
	bytes = bytes ? rounded(bytes) : UNIT;
	while (*link && (*link)->bytes < bytes)
		link = &(*link)->next_free;
	found = *link;
	if (!found)
		return NULL;
	*link = found->next_free;
	if (found->bytes - bytes > sizeof *rest) {
		rest = (struct block *)((char *)(found + 1) + bytes);
		rest->bytes = found->bytes - bytes - sizeof *rest;
		rest->next_free = found->next_free;
		found->bytes = bytes;
		*link = rest;
	}
	return found + 1;
}

void *calloc(size_t count, size_t bytes)
{
	void *object;

	if (bytes && count > SIZE_MAX / bytes)
		return NULL;
	object = malloc(count * bytes);
	return object ? memset(object, 0, count * bytes) : NULL;
}

void free(void *object)
{
	struct block *freed = (struct block *)object - 1, *before = NULL, *after = first_free;

	if (!object)
		return;
	for (; after && after < freed; after = after->next_free)
		before = after;
	freed->next_free = after;
	if (after && behind(freed) == after) {
		freed->bytes += sizeof *after + after->bytes;
		freed->next_free = after->next_free;
	}
	if (!before) {
		first_free = freed;
	} else if (behind(before) == freed) {
		before->bytes += sizeof *freed + freed->bytes;
		before->next_free = freed->next_free;
	} else {
		before->next_free = freed;
	}
}

void *realloc(void *object, size_t bytes)
{
	struct block *old = (struct block *)object - 1;
	void *larger;

	if (object && old->bytes >= bytes)
		return object;
	larger = malloc(bytes);
	if (!object || !larger)
		return larger;
	memcpy(larger, object, old->bytes);
	free(object);
	return larger;
}
