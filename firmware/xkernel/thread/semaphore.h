/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting semaphores. P blocks, V readies the longest waiting thread and goes on itself. Threads
 * only, not for interrupt handlers. */
#pragma once

#include <stdint.h>

struct thread;

struct semaphore {
	int64_t count; /* below 0: so many threads wait */
	struct thread *first, **last;
};

void sem_init(struct semaphore *s, int64_t count);
int sem_wait(struct semaphore *s);    /* P; -1: no memory for a stack to switch to, not waited */
void sem_signal(struct semaphore *s); /* V */

/* P that never blocks; -1: nothing is left but what threads that wait have been given. */
static inline int sem_try(struct semaphore *s)
{
	if (s->count <= 0)
		return -1;
	s->count--;
	return 0;
}

/* P that keeps no stack: entry(arg) runs, on whatever stack is warm, once the semaphore is ours.
 * The caller must return at once; `t` is its storage for the wait. */
void sem_wait_continuation(struct semaphore *s, struct thread *t, void (*entry)(void *arg),
			   void *arg);
