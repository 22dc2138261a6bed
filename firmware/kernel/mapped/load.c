/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs are loaded from their ELF files, which lie in the kernel's image. */
#include "kernel/gate.h"
#include "kernel/mapped/tables.h"
#include "kernel/memory.h"
#include "xkernel/memory/memory.h"

struct elf_header {
	uint32_t magic;
	uint8_t width, order, rest[10];
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, segments, sections;
	uint32_t flags;
	uint16_t bytes, segment_bytes, segment_count, section_bytes, section_count, names;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, address, physical, file_bytes, bytes, aligned;
};

enum { MAGIC = 0x464c457f, WIDTH_64 = 2, EXECUTABLE = 2, ALPHA = 0x9026, LOAD = 1 };
enum { FLAG_RUN = 1, FLAG_WRITE = 2 };

struct head { /* of struct program, as the program has it */
	uint64_t name, entry;
	uint32_t priority;
};

static int load_segment(const struct program *program, struct space *s, const struct elf_segment *e)
{
	uint64_t from = e->address & -(uint64_t)PAGE_BYTES;
	int rights = (e->flags & FLAG_WRITE ? MAY_WRITE : 0) | (e->flags & FLAG_RUN ? MAY_RUN : 0);

	if (e->offset > program->image_bytes || e->file_bytes > program->image_bytes - e->offset ||
	    e->file_bytes > e->bytes || from / SLOT_BYTES < 1 ||
	    (e->address + e->bytes) / SLOT_BYTES >= KERNEL_SLOT)
		return -1;
	s->next_page = from >> MACHINE_PAGE_SHIFT; /* for the pages' colours */
	if (!space_place(s, (void *)from, e->address + e->bytes - from, rights))
		return -1;
	memory_write(s, (void *)e->address, program->image + e->offset, e->file_bytes);
	return 0;
}

/* The name is the kernel's own until a process has it. */
static void read_head(struct program *program, const struct space *s)
{
	static char name[NAME_BYTES];
	struct head head;
	uint64_t where;

	memory_read(s, &where, (const void *)(s->entry - sizeof where), sizeof where);
	memory_read(s, &head, (const void *)where, sizeof head);
	memory_read(s, name, (const void *)head.name, sizeof name - 1);
	program->name = name;
	program->entry = (void (*)(uint64_t))head.entry;
	program->priority = (enum priority)head.priority;
}

int gate_load(struct program *program, struct space *s)
{
	const struct elf_header *h = (const void *)program->image;
	const struct elf_segment *e;

	if (program->image_bytes < sizeof *h || h->magic != MAGIC || h->width != WIDTH_64 ||
	    h->type != EXECUTABLE || h->machine != ALPHA || h->segment_bytes != sizeof *e ||
	    h->segments > program->image_bytes ||
	    h->segment_count * sizeof *e > program->image_bytes - h->segments)
		return -1;
	e = (const void *)(program->image + h->segments);
	for (int i = 0; i < h->segment_count; i++)
		if (e[i].type == LOAD && e[i].bytes && load_segment(program, s, &e[i]))
			return -1;
	s->entry = h->entry;
	s->next_page = (s->entry / SLOT_BYTES * SLOT_BYTES + SLOT_BYTES / 2) >> MACHINE_PAGE_SHIFT;
	read_head(program, s);
	return 0;
}
