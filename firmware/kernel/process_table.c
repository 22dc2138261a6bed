/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/process.h"

struct process processes[PROCESSES];

struct process *process_self(void)
{
	struct thread *t = thread_self();

	for (struct process *p = processes; t && p < processes + PROCESSES; p++)
		if (t == &p->thread)
			return p;
	return NULL;
}

struct process *process_find(int number)
{
	if (number < 0 || number >= PROCESSES || processes[number].state == PROCESS_FREE)
		return NULL;
	return &processes[number];
}
