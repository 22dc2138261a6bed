/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/thread/semaphore.h"

#include <stddef.h>

#include "xkernel/switches.h"
#include "xkernel/thread/thread.h"

void sem_init(struct semaphore *s, int64_t count)
{
	s->count = count;
	s->first = NULL;
	s->last = &s->first;
}

static void enqueue(struct semaphore *s, struct thread *t)
{
	t->next = NULL;
	*s->last = t;
	s->last = &t->next;
}

int sem_wait(struct semaphore *s)
{
	struct thread **before = s->last;

	if (--s->count >= 0)
		return 0;
	if (PREDICT_FALSE(!thread_self())) {
		s->count++;
		return -1;
	}
	enqueue(s, thread_self());
	if (PREDICT_FALSE(thread_block())) {
		*before = NULL;
		s->last = before;
		s->count++;
		return -1;
	}
	return 0;
}

void sem_signal(struct semaphore *s)
{
	struct thread *t;

	if (++s->count > 0)
		return;
	t = s->first;
	s->first = t->next;
	if (!s->first)
		s->last = &s->first;
	thread_resume(t);
}

void sem_wait_continuation(struct semaphore *s, struct thread *t, void (*entry)(void *arg),
			   void *arg)
{
	if (--s->count >= 0) {
		thread_ready(t, entry, arg);
		return;
	}
	t->entry = entry;
	t->arg = arg;
	t->stack = NULL;
	enqueue(s, t);
}
