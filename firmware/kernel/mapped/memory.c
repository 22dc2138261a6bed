/* SPDX-License-Identifier: BSD-2-Clause */
/* Address spaces with page tables. A page without a region lies between any two regions. */
#include "kernel/memory.h"

#include "kernel/mapped/frames.h"
#include "kernel/mapped/own.h"
#include "kernel/mapped/privileged.h"
#include "kernel/mapped/tables.h"
#include "kernel/space.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/memory/memory.h"

_Static_assert((int)SPACES == (int)TABLE_OF_KERNEL, "a table for each space");
_Static_assert(KERNEL_MAPPED == OWN_BUFFERS || !FBUFS, "what is lent has pages of its own");

static uint64_t page_of(const void *address)
{
	return (uintptr_t)address >> MACHINE_PAGE_SHIFT;
}

void memory_start(void)
{
	frames_start();
	tables_start();
}

struct memory *memory_make(const struct space *s, size_t bytes)
{
	uint32_t pages = (uint32_t)((bytes + PAGE_BYTES - 1) >> MACHINE_PAGE_SHIFT);
	struct memory *m = xk_allocate(sizeof *m + pages * sizeof m->frame[0]);

	if (!m)
		return NULL;
	*m = (struct memory){ .bytes = bytes, .colour = (uint32_t)(s->next_page % COLOURS) };
	for (; m->pages < pages; m->pages++) {
		uint64_t frame = frame_take((m->colour + m->pages) % COLOURS);

		if (!frame) {
			memory_free(m);
			return NULL;
		}
		m->frame[m->pages] = (uint32_t)frame;
	}
	return m;
}

void memory_free(struct memory *m)
{
	for (uint32_t i = 0; i < m->pages; i++)
		frame_give(m->frame[i]);
	xk_free(m);
}

static uint64_t pte_of(int rights)
{
	uint64_t pte = PTE_KRE | PTE_URE;

	pte |= rights & MAY_WRITE ? PTE_KWE | PTE_UWE : 0;
	return rights & MAY_RUN ? pte : pte | PTE_FOE;
}

/* The space's slot; its regions begin in the middle, the program is below. */
static uint64_t end_of_slot(const struct space *s)
{
	return (s->next_page / PAGES_SLOT + 1) * PAGES_SLOT;
}

/* With the one behind it, which is nobody's. */
static uint64_t pages_taken(const struct memory *m)
{
	return m->pages + 1;
}

uint8_t *memory_map(struct space *s, struct memory *m, void *at, int rights)
{
	uint64_t page = page_of(at);

	if (!at) {
		page = s->next_page;
		page += (m->colour - page) % COLOURS;
		if (page + m->pages >= end_of_slot(s))
			return NULL;
		s->next_page = page + pages_taken(m);
	}
	for (uint32_t i = 0; i < m->pages; i++)
		table_set(s->number, page + i, m->frame[i], pte_of(rights));
	return (uint8_t *)(page << MACHINE_PAGE_SHIFT);
}

void memory_unmap(struct space *s, const uint8_t *start, const struct memory *m)
{
	for (uint32_t i = 0; i < m->pages; i++)
		table_clear(s->number, page_of(start) + i);
	privileged_forget(TBI_SPACES); /* the page, and what of it the I-cache has */
	if (s->next_page == page_of(start) + pages_taken(m))
		s->next_page = page_of(start);
}

/* Where the kernel sees a byte of a space, whichever space is in use. */
static uint8_t *seen(const struct space *s, const uint8_t *address)
{
	uint8_t *page = frame_address(table_frame(s->number, page_of(address)));

	return page + ((uintptr_t)address & (PAGE_BYTES - 1));
}

static size_t up_to_page(const uint8_t *address, size_t bytes)
{
	size_t room = PAGE_BYTES - ((uintptr_t)address & (PAGE_BYTES - 1));

	return bytes < room ? bytes : room;
}

void memory_write(const struct space *s, void *to, const void *from, size_t bytes)
{
	const uint8_t *f = from;
	uint8_t *t = to;

	for (size_t n; bytes; bytes -= n, t += n, f += n) {
		n = up_to_page(t, bytes);
		memcpy(seen(s, t), f, n);
	}
}

void memory_read(const struct space *s, void *to, const void *from, size_t bytes)
{
	const uint8_t *f = from;
	uint8_t *t = to;

	for (size_t n; bytes; bytes -= n, t += n, f += n) {
		n = up_to_page(f, bytes);
		memcpy(t, seen(s, f), n);
	}
}

/* At the same offset in the kernel's slot, so that it has its colour. */
void *memory_of_kernel(void *area, size_t bytes)
{
	uint64_t from = physical(area), slot = (uint64_t)KERNEL_SLOT * SLOT_BYTES;

	if (KERNEL_MAPPED != OWN_BUFFERS || from + bytes > SLOT_BYTES)
		return area;
	for (uint64_t at = from & -(uint64_t)PAGE_BYTES; at < from + bytes; at += PAGE_BYTES)
		tables_set_kernel((slot + at) >> MACHINE_PAGE_SHIFT, at >> MACHINE_PAGE_SHIFT,
				  FBUFS ? PTE_URE : 0);
	return (void *)(slot + from);
}
