/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/process.h"

#include "kernel/call.h"
#include "kernel/port.h"
#include "kernel/sleep.h"
#include "kernel/user_mode.h"
#include "xkernel/memory.h"

static int64_t (*call)(struct process *p, uint64_t number, const uint64_t *argument);
static void (*last_of_space)(struct process *p);

void processes_start(int64_t (*c)(struct process *p, uint64_t number, const uint64_t *argument),
		     void (*f)(struct process *p))
{
	call = c;
	last_of_space = f;
	memset(processes, 0, sizeof processes);
	spaces_start();
	user_mode_start();
}

/* The gate, from both sides. On the machine CALLSYS will be in its place. */
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

static void bury(struct process *p)
{
	int last = p->space->references == 1;

	for (struct process *c = processes; c < processes + PROCESSES; c++) {
		if (c->parent != p || c->state == PROCESS_FREE)
			continue;
		c->parent = NULL;
		if (c->state == PROCESS_ENDED)
			c->state = PROCESS_FREE;
	}
	if (last)
		port_owner_ended(p->space);
	space_release(p->space);
	p->state = p->parent ? PROCESS_ENDED : PROCESS_FREE;
	wakeup(p);
	if (last)
		last_of_space(p);
}

/* The process's thread in the kernel: from one return to user mode to the next. */
static void run(void *arg)
{
	struct process *p = arg;

	while (!p->must_end) {
		user_mode_enter(p);
		if (p->must_end)
			break;
		space_switch(p->space);
		plat_switch(&p->kernel, p->user); /* until it calls */
		p->call.result = call(p, p->call.number, p->call.argument);
	}
	user_mode_pass_on(p);
	bury(p);
}

struct process *process_start(const struct program *program, uint64_t argument, struct space *space)
{
	struct process *p = processes;
	void *stack;

	while (p < processes + PROCESSES && p->state != PROCESS_FREE)
		p++;
	if (p == processes + PROCESSES)
		return NULL;
	*p = (struct process){
		.number = (int)(p - processes),
		.program = *program,
		.argument = argument,
		.parent = process_self(),
	};
	p->space = space ? space_share(space) : space_create();
	if (!p->space)
		return NULL;
	stack = space_allocate(p->space, STACK_BYTES);
	if (!stack) {
		space_release(p->space);
		return NULL;
	}
	p->user = plat_context_make(stack, STACK_BYTES, user_start, p);
	p->state = PROCESS_ALIVE;
	thread_ready(&p->thread, run, p);
	return p;
}

void process_end(struct process *p, int status, const char *why)
{
	if (p->must_end)
		return;
	p->must_end = 1;
	p->status = status;
	p->why = why;
	if (p != process_self())
		sleep_interrupt(p);
}

int process_wait(struct process *child, int *status)
{
	while (child->state == PROCESS_ALIVE)
		if (sleep_on(child))
			return -1;
	*status = child->status;
	child->state = PROCESS_FREE;
	return 0;
}
