/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of address spaces: where it comes from, and how a space maps it. kernel/flat has it
 * where there is one address space, kernel/mapped with page tables. */
#ifndef KERNEL_MEMORY_H
#define KERNEL_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#ifndef FBUFS
#define FBUFS 0 /* 1: programs may read the kernel's network buffers, and are lent them */
#endif

struct space;

enum memory_rights { MAY_READ = 0, MAY_WRITE = 1, MAY_RUN = 2 };

struct memory { /* a piece that several spaces may map */
	size_t bytes;
	uint64_t references; /* regions */
	uint32_t pages;	     /* with page tables: their number, */
	uint32_t colour;     /* the first one's place in a large cache, */
	uint32_t frame[];    /* and the physical pages */
};

void memory_start(void);

struct memory *memory_make(const struct space *s, size_t bytes); /* zeroed, for s. NULL: none */
void memory_free(struct memory *m);

/* At `at`, or with NULL where there is room. Its address in s. NULL: it does not go there. */
uint8_t *memory_map(struct space *s, struct memory *m, void *at, int rights);
void memory_unmap(struct space *s, const uint8_t *start, const struct memory *m);

/* Into and out of any space's memory, the one in use or another. The space has it. */
void memory_write(const struct space *s, void *to, const void *from, size_t bytes);
void memory_read(const struct space *s, void *to, const void *from, size_t bytes);

/* Static memory of the kernel, at the address by which the kernel is to use it. */
void *memory_of_kernel(void *area, size_t bytes);
#endif
