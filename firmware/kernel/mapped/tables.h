/* SPDX-License-Identifier: BSD-2-Clause */
/* Page tables: one for each space, and one for the kernel before there are any. Virtual pages are
 * those of the first 64 MB, in slots of 16 MB: a program has one, the last is the kernel's. */
#ifndef MAPPED_TABLES_H
#define MAPPED_TABLES_H

#include <stdint.h>

#include "machine.h"

enum {
	PAGE_BYTES = 1 << MACHINE_PAGE_SHIFT,
	SLOT_BYTES = 1 << 24,
	PAGES_SLOT = SLOT_BYTES >> MACHINE_PAGE_SHIFT,
	PAGES_MAPPED = 4 * PAGES_SLOT,
	KERNEL_SLOT = 3,
	TABLE_OF_KERNEL = 16, /* after those of the spaces */
};

enum pte { /* translation.md, Entries */
	   PTE_V = 1,
	   PTE_FOE = 1 << 3,
	   PTE_ASM = 1 << 4,
	   PTE_KRE = 1 << 8,
	   PTE_URE = 1 << 9,
	   PTE_KWE = 1 << 12,
	   PTE_UWE = 1 << 13,
};

void tables_start(void);
void table_set(int number, uint64_t page, uint64_t frame, uint64_t rights);
void table_clear(int number, uint64_t page);
uint64_t table_frame(int number, uint64_t page); /* 0: none */
uint64_t table_base(int number);		 /* its page's number, for PCB_PTBR */
void tables_set_kernel(uint64_t page, uint64_t frame, uint64_t more); /* in all; `more` rights */
#endif
