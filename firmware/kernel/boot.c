/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/structure.h"

struct process *process_start_with_boot(const struct program *program)
{
	struct space *space = space_create();
	struct boot_params *boot = space ? space_allocate(space, sizeof *boot) : NULL;
	struct process *p = NULL;

	if (boot) {
		*boot = *plat_boot();
		p = process_start(program, (uintptr_t)boot, space);
	}
	if (space)
		space_release(space); /* the process has its own reference */
	return p;
}
