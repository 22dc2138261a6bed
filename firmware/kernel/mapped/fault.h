/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages on the console about a program that has broken a rule, and about the kernel. */
#ifndef MAPPED_FAULT_H
#define MAPPED_FAULT_H

#include "kernel/mapped/user_state.h"

void fault_tell(const char *program, const struct user_state *u);

/* In the kernel's own code: the machine ends. a0 to a2: the handler's arguments. */
_Noreturn void fault_of_kernel(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t kind, uint64_t pc);
#endif
