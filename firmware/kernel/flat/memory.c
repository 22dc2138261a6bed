/* SPDX-License-Identifier: BSD-2-Clause */
/* One address space: memory is the heap's, and lies at the same address in all spaces. */
#include "kernel/memory.h"

#include "xkernel/memory/allocate.h"
#include "xkernel/memory/memory.h"

enum { ALIGNED = 64 }; /* the structure's room in front of its bytes */
_Static_assert(sizeof(struct memory) <= ALIGNED, "the structure fits into its room");

void memory_start(void)
{
}

struct memory *memory_make(const struct space *s, size_t bytes)
{
	struct memory *m = xk_allocate_zeroed(bytes + ALIGNED);

	(void)s;
	if (m)
		m->bytes = bytes;
	return m;
}

void memory_free(struct memory *m)
{
	xk_free(m);
}

uint8_t *memory_map(struct space *s, struct memory *m, void *at, int rights)
{
	(void)s;
	(void)at;
	(void)rights;
	return (uint8_t *)m + ALIGNED;
}

void memory_unmap(struct space *s, const uint8_t *start, const struct memory *m)
{
	(void)s;
	(void)start;
	(void)m;
}

void memory_write(const struct space *s, void *to, const void *from, size_t bytes)
{
	(void)s;
	memcpy(to, from, bytes);
}

void memory_read(const struct space *s, void *to, const void *from, size_t bytes)
{
	(void)s;
	memcpy(to, from, bytes);
}

void *memory_of_kernel(void *area, size_t bytes)
{
	(void)bytes;
	return area;
}
