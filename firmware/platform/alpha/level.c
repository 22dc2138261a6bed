/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupt priority levels and sleeping: PALcode's business. */
#include "machine.h"
#include "platform/alpha/pal.h"
#include "platform/platform.h"

int plat_ipl_set(int level)
{
	return (int)pal_swpipl((uint64_t)level);
}

int plat_ipl_raise(int level)
{
	int before = (int)pal_rdps();

	if (level > before)
		pal_swpipl((uint64_t)level);
	return before;
}

void plat_wait_for_interrupt(void)
{
	pal_wtint(INTERRUPT_ALL);
}

void plat_memory_barrier(void)
{
	__asm__ volatile("mb" : : : "memory");
}
