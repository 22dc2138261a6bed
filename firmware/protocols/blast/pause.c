/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/blast/blast_private.h"

static void wake(void *arg)
{
	sem_signal(arg);
}

int blast_pause(uint64_t us)
{
	struct event event = { 0 };
	struct semaphore over;

	sem_init(&over, 0);
	event_schedule(&event, wake, &over, us);
	if (sem_wait(&over)) {
		event_cancel(&event);
		return -1;
	}
	/* The event's thread has ended: nothing in it blocks after `wake`. */
	return 0;
}
