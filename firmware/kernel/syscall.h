/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_SYSCALL_H
#define KERNEL_SYSCALL_H

#include "kernel/process.h"

struct syscall_counts {
	uint64_t calls;
	uint64_t unknown;     /* numbers */
	uint64_t bad_address; /* arguments that the process may not use */
};
extern struct syscall_counts syscall_counts;

/* Checks the addresses among the arguments, then does it. */
int64_t syscall_do(struct process *p, uint64_t number, const uint64_t *argument);
#endif
