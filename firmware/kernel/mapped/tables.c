/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/mapped/tables.h"

#include "kernel/mapped/own.h"
#include "kernel/mapped/privileged.h"
#include "xkernel/memory/memory.h"

enum { LEVEL = 128, TOP = 256 }; /* refill.S looks no further */
enum { OWN_PAGES = KERNEL_MAPPED == OWN_ALL ? PAGES_SLOT : 0 };
_Static_assert(!OWN_PAGES || !MACHINE_TLB_REFILL_PORTABLE, "first.S makes a flat table");

/* `entry` is the flat table. For three levels it is all tables of the third one, one after the
 * other. Each part begins with a page. */
struct table {
	uint64_t entry[PAGES_MAPPED];
	uint64_t top[TOP];
	uint64_t middle[LEVEL];
} __attribute__((aligned(1 << MACHINE_PAGE_SHIFT)));

static struct table tables[TABLE_OF_KERNEL + 1] __attribute__((section(".noinit,\"aw\",@nobits#")));
struct table *const first_table = &tables[TABLE_OF_KERNEL]; /* first.S's, before there are any */

void tables_start(void)
{
	for (int n = 0; n <= TABLE_OF_KERNEL; n++) {
		struct table *t = &tables[n];

		memset(t->entry + OWN_PAGES, 0, sizeof *t - OWN_PAGES * sizeof t->entry[0]);
		for (int page = 1; page < OWN_PAGES; page++)
			t->entry[page] = (uint64_t)page << 32 | PTE_ASM | PTE_KRE | PTE_KWE | PTE_V;
		t->entry[0] = 0;
		t->top[0] = physical(t->middle) | 1;
		for (int i = 0; i < PAGES_MAPPED / LEVEL; i++)
			t->middle[i] = physical(&t->entry[i * LEVEL]) | 1;
	}
}

void table_set(int number, uint64_t page, uint64_t frame, uint64_t rights)
{
	tables[number].entry[page] = frame << 32 | rights | PTE_V;
}

void table_clear(int number, uint64_t page)
{
	tables[number].entry[page] = 0;
}

uint64_t table_frame(int number, uint64_t page)
{
	return page < PAGES_MAPPED ? tables[number].entry[page] >> 32 : 0;
}

uint64_t table_base(int number)
{
	const struct table *t = &tables[number];

	return physical(MACHINE_TLB_REFILL_PORTABLE ? t->top : t->entry) >> MACHINE_PAGE_SHIFT;
}

void tables_set_kernel(uint64_t page, uint64_t frame, uint64_t more)
{
	for (int n = 0; n <= TABLE_OF_KERNEL; n++)
		table_set(n, page, frame, PTE_ASM | PTE_FOE | PTE_KRE | PTE_KWE | more);
}
