/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/space.h"

#include "xkernel/allocate.h"
#include "xkernel/memory.h"

struct memory {
	size_t bytes;
	uint64_t references; /* regions */
};

enum { ALIGNED = 64 }; /* the structure's room in front of its bytes */
_Static_assert(sizeof(struct memory) <= ALIGNED, "the structure fits into its room");

static struct space spaces[SPACES];

void spaces_start(void)
{
	memset(spaces, 0, sizeof spaces);
}

struct space *space_create(void)
{
	for (struct space *s = spaces; s < spaces + SPACES; s++) {
		if (s->references)
			continue;
		*s = (struct space){ .references = 1 };
		return s;
	}
	return NULL;
}

struct space *space_share(struct space *s)
{
	s->references++;
	return s;
}

void space_release(struct space *s)
{
	if (--s->references)
		return;
	for (int i = 0; i < s->regions; i++)
		if (--s->region[i].memory->references == 0)
			xk_free(s->region[i].memory);
	s->regions = 0;
}

void *space_map(struct space *s, struct memory *m)
{
	struct region *r = &s->region[s->regions];

	if (s->regions == SPACE_REGIONS)
		return NULL;
	s->regions++;
	m->references++;
	*r = (struct region){ (uint8_t *)m + ALIGNED, m->bytes, m };
	return r->start;
}

void *space_allocate(struct space *s, size_t bytes)
{
	struct memory *m;
	void *start;

	if (!bytes || bytes > SPACE_LARGEST)
		return NULL;
	m = xk_allocate_zeroed(bytes + ALIGNED);
	if (!m)
		return NULL;
	m->bytes = bytes;
	start = space_map(s, m);
	if (!start)
		xk_free(m);
	return start;
}

struct memory *space_memory(const struct space *s, const void *start)
{
	for (int i = 0; i < s->regions; i++)
		if (s->region[i].start == start)
			return s->region[i].memory;
	return NULL;
}

int space_check(const struct space *s, const void *address, size_t bytes)
{
	uintptr_t from = (uintptr_t)address;

	for (int i = 0; i < s->regions; i++) {
		uintptr_t start = (uintptr_t)s->region[i].start;

		/* No sum that could pass the end of the address space. */
		if (from >= start && from - start <= s->region[i].bytes &&
		    bytes <= s->region[i].bytes - (from - start))
			return 0;
	}
	return -1;
}

void space_switch(struct space *s)
{
	(void)s;
}
