/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/sleep.h"

#include "kernel/gate.h"
#include "kernel/user_mode.h"
#include "xkernel/thread/event.h"

static struct process *sleepers; /* the one that has slept longest first */

static struct process **place_of(const struct process *p)
{
	struct process **link = &sleepers;

	while (*link && *link != p)
		link = &(*link)->next;
	return link;
}

static void take_out(struct process **link)
{
	struct process *p = *link;

	*link = p->next;
	p->channel = NULL;
}

int sleep_on(const void *channel)
{
	struct process *self = process_self();
	struct process **end = &sleepers;

	if (!self || self->must_end)
		return -1;
	while (*end)
		end = &(*end)->next;
	self->channel = channel;
	self->next = NULL;
	*end = self;
	user_mode_pass_on(self);
	if (thread_block()) { /* no stack for those who go on */
		take_out(place_of(self));
		return -1;
	}
	gate_space(self);
	return self->must_end ? -1 : 0;
}

void wakeup(const void *channel)
{
	struct process **link = &sleepers;

	while (*link) {
		struct process *p = *link;

		if (p->channel != channel) {
			link = &p->next;
			continue;
		}
		take_out(link);
		thread_resume(&p->thread);
	}
}

void sleep_interrupt(struct process *p)
{
	struct process **link = place_of(p);

	if (!*link)
		return;
	take_out(link);
	thread_resume(&p->thread);
}

static void time_is_over(void *arg)
{
	wakeup(arg);
}

int sleep_for(uint64_t us)
{
	struct event clock = { 0 };
	int result;

	event_schedule(&clock, time_is_over, &clock, us);
	result = sleep_on(&clock);
	if (result)
		event_cancel(&clock);
	return result;
}
