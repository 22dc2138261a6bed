/* SPDX-License-Identifier: BSD-2-Clause */
/* Address spaces: what a program may read and write, as a list of regions that system calls check.
 * memory.h has what lies in them. */
#ifndef KERNEL_SPACE_H
#define KERNEL_SPACE_H

#include "kernel/memory.h"

enum { SPACES = 16, SPACE_REGIONS = 12, SPACE_LARGEST = 1 << 20 }; /* bytes */

struct region {
	uint8_t *start;
	size_t bytes;
	struct memory *memory;
	int rights;
};

struct space {
	int references; /* processes in it; 0: free */
	int number;
	int regions;
	uint64_t next_page; /* with page tables: where the next region goes */
	uint64_t entry;	    /* of its program: where each of its threads begins */
	struct region region[SPACE_REGIONS];
};

void spaces_start(void);
struct space *space_create(void); /* one reference. NULL: none left */
struct space *space_share(struct space *s);
void space_release(struct space *s); /* the last one frees its memory, unless others map it */

void *space_allocate(struct space *s, size_t bytes); /* zeroed, readable, writable. NULL: none */
void *space_place(struct space *s, void *at, size_t bytes, int rights); /* the same, right there */
void space_free(struct space *s, const void *start);			/* a region of its own */
struct memory *space_memory(const struct space *s, const void *start); /* NULL: no region's start */
void *space_map(struct space *s, struct memory *m); /* another space's. Its address there */

/* 0: all of it lies in one region, which gives these rights. -1: it does not. */
int space_check(const struct space *s, const void *address, size_t bytes, int rights);
#endif
