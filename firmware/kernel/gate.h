/* SPDX-License-Identifier: BSD-2-Clause */
/* Between kernel and user mode. kernel/flat switches stacks, kernel/mapped changes the mode. */
#ifndef KERNEL_GATE_H
#define KERNEL_GATE_H

#include "kernel/process.h"

void gate_start(void);
int gate_make(struct process *p);   /* its user stack. -1: no memory */
void gate_space(struct process *p); /* user mode and its addresses are p's from here on */

/* User mode, at level 0, until p calls: p->call has it. -1: p has broken a rule, which the console
 * says, or it must end. At any level; ends at level 0. */
int gate_go(struct process *p);

/* Makes a new space from the program's image: entry, priority and name are then known. -1: no
 * memory, or no program. */
int gate_load(struct program *program, struct space *s);
#endif
