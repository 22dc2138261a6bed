/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/user_mode.h"

#include "kernel/process.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"

struct user_mode_counts user_mode_counts;

static struct process *holder, *last;
static struct process *waiting[PRIORITIES]; /* the one that waits longest first */
static int quantum_over;
static struct event quantum;

void user_mode_start(void)
{
	holder = NULL;
	last = NULL;
	for (int i = 0; i < PRIORITIES; i++)
		waiting[i] = NULL;
	quantum_over = 0;
}

static void end_quantum(void *arg)
{
	(void)arg;
	quantum_over = 1;
}

/* A process whose turn is not over goes to the front. Time counts only while somebody waits. */
static void wait_in_line(struct process *p, int turn_is_over)
{
	struct process **place = &waiting[p->program.priority];

	while (turn_is_over && *place)
		place = &(*place)->next;
	p->next = *place;
	*place = p;
	if (quantum.state == EVENT_IDLE)
		event_schedule(&quantum, end_quantum, NULL, QUANTUM_US);
}

static struct process *next_of(enum priority lowest)
{
	for (int i = 0; i <= (int)lowest; i++) {
		struct process *p = waiting[i];

		if (!p)
			continue;
		waiting[i] = p->next;
		return p;
	}
	return NULL;
}

static void give(struct process *p)
{
	holder = p;
	quantum_over = 0;
	if (!p)
		return;
	user_mode_counts.switches += p != last;
	last = p;
}

void user_mode_pass_on(struct process *p)
{
	if (holder != p)
		return;
	give(next_of(PRIORITIES - 1));
	if (holder)
		thread_resume(&holder->thread);
}

/* Somebody who comes before p, who has the right now: it is his. */
static int give_way(struct process *p)
{
	int above = (int)p->program.priority - !quantum_over;
	struct process *next = above < 0 ? NULL : next_of((enum priority)above);

	if (!next)
		return 0;
	user_mode_counts.taken++;
	wait_in_line(p, quantum_over);
	give(next);
	thread_resume(&next->thread);
	return 1;
}

/* The kernel's work comes first: interrupts' work, and processes that have woken, which get in
 * line. */
void user_mode_enter(struct process *p)
{
	if (!holder)
		give(p);
	else if (holder != p)
		wait_in_line(p, 1);
	do {
		plat_ipl_set(IPL_NONE);
		while (holder != p)
			if (thread_block())
				console_fail("user mode", "no memory for a stack");
		while (thread_first_ready)
			thread_yield();
		if (give_way(p))
			continue;
		plat_ipl_raise(IPL_HIGH); /* what an interrupt makes ready from here on waits */
	} while (holder != p || thread_first_ready);
	quantum_over = 0; /* nobody waits for this turn's end */
}

void user_mode_yield(struct process *p)
{
	quantum_over |= holder == p;
}
