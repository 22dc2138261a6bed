/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/kern/sleep.h"

#include "bsd/kern/spl.h"
#include "platform/marker.h"
#include "xkernel/thread/thread.h"

enum { QUEUES_LOG = 6, QUEUES = 1 << QUEUES_LOG };

/* On its own stack. */
struct sleeper {
	struct sleeper *next;
	const void *channel;
	struct thread *thread;
};

static struct sleeper *queues[QUEUES];

void sleep_start(void)
{
	for (int i = 0; i < QUEUES; i++)
		queues[i] = NULL;
}

static struct sleeper **queue_of(const void *channel)
{
	return &queues[(uintptr_t)channel >> 5 & (QUEUES - 1)];
}

int tsleep(const void *channel)
{
	struct sleeper self = { NULL, channel, thread_self() }, **link = queue_of(channel);
	int level = splnet(), result;

	while (*link)
		link = &(*link)->next;
	*link = &self;
	MARK(MARK_CLOSE, WINDOW_PATH);
	result = thread_block();
	MARK(MARK_OPEN, WINDOW_PATH);
	if (result) { /* nobody else has run: we are still the last */
		link = queue_of(channel);
		while (*link != &self)
			link = &(*link)->next;
		*link = NULL;
	}
	plat_ipl_set(level); /* those who ran meanwhile left another */
	return result;
}

void wakeup(const void *channel)
{
	struct sleeper **link = queue_of(channel), *s;

	while ((s = *link)) {
		if (s->channel != channel) {
			link = &s->next;
			continue;
		}
		*link = s->next;
		thread_resume(s->thread);
	}
}
