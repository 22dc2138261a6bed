/* SPDX-License-Identifier: BSD-2-Clause */
/* Address spaces: what a program may read and write. Today they are lists of regions that system
 * calls check; there is one address space, and addresses are physical. Page tables come here when
 * the machine translates (docs/explanation/udp-receive.md). */
#ifndef KERNEL_SPACE_H
#define KERNEL_SPACE_H

#include <stddef.h>
#include <stdint.h>

enum { SPACES = 16, SPACE_REGIONS = 12, SPACE_LARGEST = 1 << 20 }; /* bytes of a region */

struct memory; /* a piece of memory that several spaces may map */

struct region {
	uint8_t *start;
	size_t bytes;
	struct memory *memory;
};

struct space {
	int references; /* processes in it; 0: free */
	int regions;
	struct region region[SPACE_REGIONS];
};

void spaces_start(void);
struct space *space_create(void); /* one reference. NULL: none left */
struct space *space_share(struct space *s);
void space_release(struct space *s); /* the last one frees its memory, unless others map it */

void *space_allocate(struct space *s, size_t bytes); /* zeroed, readable, writable. NULL: none */
struct memory *space_memory(const struct space *s, const void *start); /* NULL: no region's start */
void *space_map(struct space *s, struct memory *m); /* another space's. Its address there */

/* 0: all of it lies in one region. -1: it does not. */
int space_check(const struct space *s, const void *address, size_t bytes);
void space_switch(struct space *s); /* before user mode */
#endif
