/* SPDX-License-Identifier: BSD-2-Clause */
/* After an interrupt of user mode: the software interrupt, and whoever comes first now. */
#include "kernel/gate.h"
#include "kernel/user_mode.h"

int interrupted_user(void); /* for entry.S. 1: the process must end */

int interrupted_user(void)
{
	struct process *p = process_self();

	user_mode_enter(p);
	gate_space(p);
	return p->must_end;
}
