/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/space.h"

#include "xkernel/memory/memory.h"

static struct space spaces[SPACES];

void spaces_start(void)
{
	memset(spaces, 0, sizeof spaces);
	memory_start();
}

struct space *space_create(void)
{
	for (struct space *s = spaces; s < spaces + SPACES; s++) {
		if (s->references)
			continue;
		*s = (struct space){ .references = 1, .number = (int)(s - spaces) };
		return s;
	}
	return NULL;
}

struct space *space_share(struct space *s)
{
	s->references++;
	return s;
}

static void unmap(struct space *s, const struct region *r)
{
	memory_unmap(s, r->start, r->memory);
	if (--r->memory->references == 0)
		memory_free(r->memory);
}

void space_release(struct space *s)
{
	if (--s->references)
		return;
	for (int i = 0; i < s->regions; i++)
		unmap(s, &s->region[i]);
	s->regions = 0;
}

void space_free(struct space *s, const void *start)
{
	for (int i = 0; i < s->regions; i++) {
		if (s->region[i].start != start)
			continue;
		unmap(s, &s->region[i]);
		s->region[i] = s->region[--s->regions];
		return;
	}
}

static void *map(struct space *s, struct memory *m, void *at, int rights)
{
	struct region *r = &s->region[s->regions];
	uint8_t *start;

	if (s->regions == SPACE_REGIONS)
		return NULL;
	start = memory_map(s, m, at, rights);
	if (!start)
		return NULL;
	s->regions++;
	m->references++;
	*r = (struct region){ start, m->bytes, m, rights };
	return start;
}

void *space_map(struct space *s, struct memory *m)
{
	return map(s, m, NULL, MAY_WRITE);
}

void *space_place(struct space *s, void *at, size_t bytes, int rights)
{
	struct memory *m;
	void *start;

	m = memory_make(s, bytes);
	if (!m)
		return NULL;
	start = map(s, m, at, rights);
	if (!start)
		memory_free(m);
	return start;
}

void *space_allocate(struct space *s, size_t bytes)
{
	if (!bytes || bytes > SPACE_LARGEST)
		return NULL;
	return space_place(s, NULL, bytes, MAY_WRITE);
}

struct memory *space_memory(const struct space *s, const void *start)
{
	for (int i = 0; i < s->regions; i++)
		if (s->region[i].start == start)
			return s->region[i].memory;
	return NULL;
}

int space_check(const struct space *s, const void *address, size_t bytes, int rights)
{
	uintptr_t from = (uintptr_t)address;

	for (int i = 0; i < s->regions; i++) {
		uintptr_t start = (uintptr_t)s->region[i].start;

		if (rights & ~s->region[i].rights)
			continue;
		/* No sum that could pass the end of the address space. */
		if (from >= start && from - start <= s->region[i].bytes &&
		    bytes <= s->region[i].bytes - (from - start))
			return 0;
	}
	return -1;
}
