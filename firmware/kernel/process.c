/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/process.h"

#include "kernel/call.h"
#include "kernel/gate.h"
#include "kernel/port.h"
#include "kernel/sleep.h"
#include "kernel/user_mode.h"
#include "xkernel/memory/memory.h"

static int64_t (*call)(struct process *p, uint64_t number, const uint64_t *argument);
static void (*when_ended)(struct process *p, int last);

void processes_start(int64_t (*c)(struct process *p, uint64_t number, const uint64_t *argument),
		     void (*f)(struct process *p, int last))
{
	call = c;
	when_ended = f;
	memset(processes, 0, sizeof processes);
	spaces_start();
	user_mode_start();
	gate_start();
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
	space_free(p->space, p->stack);
	space_release(p->space);
	p->state = p->parent ? PROCESS_ENDED : PROCESS_FREE;
	wakeup(p);
	when_ended(p, last);
}

/* The process's thread in the kernel: from one return to user mode to the next. */
static void run(void *arg)
{
	struct process *p = arg;

	while (!p->must_end) {
		user_mode_enter(p);
		if (p->must_end)
			break;
		gate_space(p);
		if (gate_go(p))
			process_end(p, ERROR_BROKE_RULE, "it broke a rule");
		else
			p->call.result = call(p, p->call.number, p->call.argument);
	}
	plat_ipl_set(IPL_NONE);
	user_mode_pass_on(p);
	bury(p);
}

struct process *process_start(const struct program *program, uint64_t argument, struct space *space)
{
	struct process *p = processes;

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
	for (int i = 0; i < NAME_BYTES - 1 && program->name[i]; i++)
		p->name[i] = program->name[i];
	p->program.name = p->name;
	p->space = space_share(space);
	if (gate_make(p)) {
		space_release(p->space);
		return NULL;
	}
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
