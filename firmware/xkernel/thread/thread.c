/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/thread/thread.h"

#include "xkernel/console.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/switches.h"

struct stack { /* at the low end of its own memory */
	struct stack *next;
};

enum { STACK_HEADER = 64, ROUND_STACKS = 8 };

struct thread *thread_first_ready;
static struct thread **ready_last;
static struct stack *stack_pool; /* last in, first out; without XK_CONT first in, first out */
static struct thread *running;	 /* NULL: before the scheduler, or idle */
static struct stack *running_stack;

static struct stack *stack_take(void)
{
	struct stack *s = stack_pool;

	if (s) {
		stack_pool = s->next;
		return s;
	}
	return xk_allocate(STACK_BYTES);
}

static void stack_give(struct stack *s)
{
	struct stack **link = &stack_pool;

	while (!XK_CONT && *link)
		link = &(*link)->next;
	if (!XK_CONT) {
		s->next = NULL;
		*link = s;
		return;
	}
	s->next = stack_pool;
	stack_pool = s;
}

int thread_init(void)
{
	struct stack *s = stack_take();

	thread_first_ready = NULL;
	ready_last = &thread_first_ready;
	running = NULL;
	if (!s)
		return -1;
	stack_give(s);
	for (int i = 1; !XK_CONT && i < ROUND_STACKS; i++) {
		s = xk_allocate(STACK_BYTES);
		if (!s)
			return -1;
		stack_give(s);
	}
	return 0;
}

struct thread *thread_self(void)
{
	return running;
}

static void append(struct thread *t)
{
	int level = plat_ipl_raise(IPL_HIGH);

	t->next = NULL;
	*ready_last = t;
	ready_last = &t->next;
	plat_ipl_set(level);
}

void thread_ready(struct thread *t, void (*entry)(void *arg), void *arg)
{
	t->entry = entry;
	t->arg = arg;
	t->stack = NULL;
	append(t);
}

void thread_resume(struct thread *t)
{
	append(t);
}

/* The next thread to run; sleeps until there is one. */
static struct thread *next_ready(void)
{
	struct thread *t;

	plat_ipl_raise(IPL_HIGH);
	while (!thread_first_ready) {
		plat_wait_for_interrupt();
		plat_ipl_set(IPL_NONE); /* the handler runs here */
		plat_ipl_raise(IPL_HIGH);
	}
	t = thread_first_ready;
	thread_first_ready = t->next;
	if (!thread_first_ready)
		ready_last = &thread_first_ready;
	plat_ipl_set(IPL_NONE);
	return t;
}

static void switch_to(plat_context *from, struct thread *t)
{
	running = t;
	running_stack = t->stack;
	t->stack = NULL;
	plat_switch(from, t->context);
}

static void run_on_new_stack(plat_context *from, struct stack *s);

/* Runs one continuation after the other on this stack, until a thread that has a stack comes. */
static void run_continuations(void *arg)
{
	for (;;) {
		struct thread *t = next_ready();

		if (t->stack) {
			plat_context unused;

			/* Nobody can take this stack before we have left it. */
			stack_give(running_stack);
			switch_to(&unused, t);
		}
		running = t;
		t->entry(t->arg);
		running = NULL;
		if (!XK_CONT && stack_pool) {
			struct stack *s = stack_take();
			plat_context unused;

			stack_give(running_stack);
			run_on_new_stack(&unused, s);
		}
	}
}

static void run_on_new_stack(plat_context *from, struct stack *s)
{
	running_stack = s;
	running = NULL;
	plat_switch(from, plat_context_make((char *)s + STACK_HEADER, STACK_BYTES - STACK_HEADER,
					    run_continuations, NULL));
}

void thread_schedule(void)
{
	struct stack *s = stack_take();
	plat_context start;

	if (!s)
		console_fail("no memory for a stack", NULL);
	run_on_new_stack(&start, s);
	__builtin_unreachable();
}

int thread_block(void)
{
	struct thread *self = running, *next;
	int level;

	if (PREDICT_FALSE(!self))
		return -1;
	level = plat_ipl_raise(IPL_HIGH);
	next = thread_first_ready;
	plat_ipl_set(level);
	if (next && next->stack) {
		self->stack = running_stack;
		next = next_ready(); /* still the same: others only append */
		switch_to(&self->context, next);
	} else {
		struct stack *s = stack_take();

		if (PREDICT_FALSE(!s))
			return -1;
		self->stack = running_stack;
		run_on_new_stack(&self->context, s);
	}
	return 0;
}

void thread_yield(void)
{
	struct thread *self = running;

	if (!self || !thread_first_ready)
		return;
	/* Queued as a thread with a stack; thread_block fills in the same one before anyone looks.
	 */
	self->stack = running_stack;
	append(self);
	if (thread_block() == 0)
		return;
	/* No stack to switch to. Nobody else has run: we are the last in the queue; leave it. */
	int level = plat_ipl_raise(IPL_HIGH);
	struct thread **link = &thread_first_ready;

	while (*link != self)
		link = &(*link)->next;
	*link = self->next;
	if (!self->next)
		ready_last = link;
	self->stack = NULL;
	plat_ipl_set(level);
}
