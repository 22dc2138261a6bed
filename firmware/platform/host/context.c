/* SPDX-License-Identifier: BSD-2-Clause */
/* Contexts by ucontext, announced to the address sanitizer as fibers. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <ucontext.h>

#include "platform/host/host_private.h"

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
static void leaving(void **fake, const void *stack, size_t bytes)
{
	__sanitizer_start_switch_fiber(fake, stack, bytes);
}

static void arrived(void *fake, const void **stack, size_t *bytes)
{
	__sanitizer_finish_switch_fiber(fake, stack, bytes);
}

static void forget(void *stack, size_t bytes)
{
	__asan_unpoison_memory_region(stack, bytes);
}
#else
static void leaving(void **fake, const void *stack, size_t bytes)
{
}

static void arrived(void *fake, const void **stack, size_t *bytes)
{
}

static void forget(void *stack, size_t bytes)
{
}
#endif

struct host_context {
	ucontext_t machine;
	void *fake; /* the sanitizer's own stack */
	const void *stack;
	size_t bytes;
	void (*entry)(void *);
	void *arg;
};

/* Where main runs until the scheduler takes a stack of its own. */
static char kernel_stack[1 << 18] __attribute__((aligned(64)));

static struct host_context *starting; /* for the trampoline */
static struct host_context harness, kernel_start;
static struct host_context *kernel = &kernel_start;
static const void *stack_now; /* bounds of the running stack; NULL: the harness's, at first */
static size_t bytes_now;

static void jump(struct host_context *from, struct host_context *to)
{
	from->stack = stack_now;
	from->bytes = bytes_now;
	stack_now = to->stack;
	bytes_now = to->bytes;
	starting = to;
	leaving(&from->fake, to->stack, to->bytes);
	swapcontext(&from->machine, &to->machine);
	arrived(from->fake, NULL, NULL);
}

static void trampoline(void)
{
	struct host_context *c = starting;
	const void *stack = NULL;
	size_t bytes = 0;

	arrived(NULL, &stack, &bytes);
	if (!harness.stack) { /* the first switch ever tells the harness's stack */
		harness.stack = stack;
		harness.bytes = bytes;
	}
	c->entry(c->arg);
	abort();
}

static void make(struct host_context *c, void *stack, size_t bytes, void (*entry)(void *),
		 void *arg)
{
	getcontext(&c->machine);
	c->machine.uc_stack.ss_sp = stack;
	c->machine.uc_stack.ss_size = bytes;
	c->machine.uc_link = NULL;
	c->fake = NULL;
	c->stack = stack;
	c->bytes = bytes;
	c->entry = entry;
	c->arg = arg;
	makecontext(&c->machine, trampoline, 0);
}

plat_context plat_context_make(void *stack, size_t bytes, void (*entry)(void *), void *arg)
{
	struct host_context *c;

	forget(stack, bytes);
	c = stack; /* at the low end; the stack grows down towards it */
	make(c, (char *)stack + sizeof *c, bytes - sizeof *c, entry, arg);
	return c;
}

void plat_switch(plat_context *from, plat_context to)
{
	struct host_context here;

	*from = &here;
	jump(&here, to);
}

static void run_entry(void *arg)
{
	int (*entry)(void) = *(int (**)(void))arg;

	entry();
	abort(); /* the kernel's main does not return */
}

void host_make_kernel(int (*entry)(void))
{
	static int (*kernel_entry)(void);

	kernel_entry = entry;
	make(&kernel_start, kernel_stack, sizeof kernel_stack, run_entry, &kernel_entry);
}

void host_enter_kernel(void)
{
	jump(&harness, kernel);
}

void host_leave_kernel(void)
{
	struct host_context here;

	kernel = &here;
	jump(&here, &harness);
}
