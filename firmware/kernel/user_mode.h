/* SPDX-License-Identifier: BSD-2-Clause */
/* User mode belongs to one process at a time. The kernel is not preemptive, so a process keeps
 * this right through its system calls; it loses it when it sleeps or ends, to a process of higher
 * priority, and to one of its own when its time is over. */
#ifndef KERNEL_USER_MODE_H
#define KERNEL_USER_MODE_H

#include <stdint.h>

struct process;

enum { QUANTUM_US = 10000 };

struct user_mode_counts {
	uint64_t switches; /* another process than the last one got it */
	uint64_t taken;	   /* of these, from a process that wanted to go on */
};
extern struct user_mode_counts user_mode_counts;

void user_mode_start(void);
void user_mode_enter(struct process *p);   /* on each return to user mode; waits for its turn. Then
					    * no interrupt is let in until user mode is */
void user_mode_pass_on(struct process *p); /* p sleeps or ends: the next one may */
void user_mode_yield(struct process *p);   /* others of its priority come first once */
#endif
