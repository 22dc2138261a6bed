/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads: not preemptive; only sem_wait and thread_yield switch.
 *
 * A thread that has not started, or has dropped its stack, is only its continuation, entry(arg). It
 * is given a stack when it runs, the one freed last, so that one message after the other is
 * processed on the same stack while it is warm in the d-cache. A thread that blocks keeps its own.
 * struct thread is provided by the caller: starting one never allocates. */
#pragma once

#include "platform/platform.h"

struct thread {
	struct thread *next;	  /* ready queue, semaphore queue */
	void (*entry)(void *arg); /* continuation, when stack is NULL */
	void *arg;
	struct stack *stack; /* held while blocked */
	plat_context context;
};

#ifdef __alpha__
enum { STACK_BYTES = 16384 };
#else
enum { STACK_BYTES = 262144 }; /* sanitizers' frames are large */
#endif

int thread_init(void);

/* Any level, interrupt handlers included: entry(arg) will run. The thread must be at rest; once
 * entry has begun the structure is the caller's again, unless it blocks (then when it returns). */
void thread_ready(struct thread *t, void (*entry)(void *arg), void *arg);

struct thread *thread_self(void);
void thread_yield(void);
extern struct thread *thread_first_ready; /* who would run next; NULL: nobody is ready */

/* The scheduler: runs ready threads, sleeps when there are none. Never returns. */
_Noreturn void thread_schedule(void);

/* For semaphore.c: block the running thread; someone else has queued thread_self(). -1: no stack
 * for those who go on; nothing happened. thread_resume makes a blocked thread ready. */
int thread_block(void);
void thread_resume(struct thread *t);
