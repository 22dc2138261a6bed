/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/gate.h"
#include "kernel/structure.h"

struct process *process_start_with_boot(const struct program *program)
{
	struct program loaded = *program;
	struct space *space = space_create();
	struct boot_params *boot;
	struct process *p = NULL;

	if (!space)
		return NULL;
	boot = gate_load(&loaded, space) ? NULL : space_allocate(space, sizeof *boot);
	if (boot) {
		memory_write(space, boot, plat_boot(), sizeof *boot);
		p = process_start(&loaded, (uintptr_t)boot, space);
	}
	space_release(space); /* the process has its own reference */
	return p;
}
