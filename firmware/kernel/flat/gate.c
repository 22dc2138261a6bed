/* SPDX-License-Identifier: BSD-2-Clause */
/* The gate where user mode is another stack and nothing else. */
#include "kernel/gate.h"

#include "kernel/call.h"

void gate_start(void)
{
}

int64_t user_call(uint64_t number, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	struct process *p = process_self();

	p->call.number = number;
	p->call.argument[0] = a0;
	p->call.argument[1] = a1;
	p->call.argument[2] = a2;
	p->call.argument[3] = a3;
	p->call.argument[4] = a4;
	plat_switch(&p->user, p->kernel);
	return p->call.result;
}

/* In user mode, on the user's stack. */
static void user_start(void *arg)
{
	struct process *p = arg;

	p->program.entry(p->argument);
	user_call(CALL_EXIT, 0, 0, 0, 0, 0);
}

int gate_make(struct process *p)
{
	p->stack = space_allocate(p->space, STACK_BYTES);
	if (!p->stack)
		return -1;
	p->user = plat_context_make(p->stack, STACK_BYTES, user_start, p);
	return 0;
}

void gate_space(struct process *p)
{
	(void)p;
}

int gate_go(struct process *p)
{
	plat_ipl_set(IPL_NONE);
	plat_switch(&p->kernel, p->user); /* until it calls */
	return 0;
}

int gate_load(struct program *program, struct space *s)
{
	(void)program;
	(void)s;
	return 0;
}
