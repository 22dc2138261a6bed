/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/thread/event.h"

#include <stddef.h>

#include "xkernel/console.h"
#include "xkernel/switches.h"

enum { SLOTS = 128 };

static struct event *wheel[SLOTS];
static volatile uint64_t now; /* timer interrupts so far */
static uint64_t done;	      /* all slots up to this one have been looked at */
static struct thread clock_thread;
static volatile uint64_t clock_queued;

static void run(void *arg)
{
	struct event *e = arg;

	/* Scheduled anew while it was ready, it is the wheel's, and runs later. */
	if (e->state == EVENT_READY) {
		e->state = EVENT_RUNNING;
		e->busy = EVENT_RUNNING;
		if (!e->cancelled)
			e->function(e->arg);
		/* It may have scheduled itself again. */
		if (e->state == EVENT_RUNNING)
			e->state = EVENT_IDLE;
	}
	e->busy = EVENT_IDLE;
}

static void insert(struct event *e, uint64_t due)
{
	struct event **slot = &wheel[due % SLOTS];

	e->state = EVENT_PENDING;
	e->due = due;
	e->next = *slot;
	if (e->next)
		e->next->link = &e->next;
	e->link = slot;
	*slot = e;
}

/* The interrupt must not pass our slot between reading the time and being in it. */
static void insert_after(struct event *e, uint64_t ticks)
{
	int level = plat_ipl_raise(IPL_CLOCK);

	insert(e, now + ticks);
	plat_ipl_set(level);
}

static void remove_from_slot(struct event *e)
{
	*e->link = e->next;
	if (e->next)
		e->next->link = e->link;
}

static void start(struct event *e)
{
	e->state = EVENT_READY;
	e->busy = EVENT_READY;
	thread_ready(&e->thread, run, e);
}

static void turn_slot(struct event *e, uint64_t time)
{
	struct event *next;

	for (; e; e = next) {
		next = e->next;
		if (e->due > time)
			continue;
		remove_from_slot(e);
		if (e->busy) /* its thread waits to run, or is blocked in the last run */
			insert_after(e, 1);
		else
			start(e);
	}
}

static void turn_wheel(void *arg)
{
	uint64_t time;

	clock_queued = 0;
	time = now;
	if (time - done > SLOTS)
		done = time - SLOTS;
	while (done < time) {
		done++;
		turn_slot(wheel[done % SLOTS], time);
	}
}

/* At IPL_CLOCK: only looks whether there may be work. */
static void timer_interrupt(void)
{
	uint64_t time = now + 1;

	now = time;
	if (wheel[time % SLOTS] && !clock_queued) {
		clock_queued = 1;
		thread_ready(&clock_thread, turn_wheel, NULL);
	}
}

void event_init(void)
{
	plat_on_timer(timer_interrupt);
}

uint64_t event_now_ms(void)
{
	return now * 1000 / plat_boot()->timer_hz;
}

uint64_t event_ticks(uint64_t us)
{
	return (us * plat_boot()->timer_hz + 999999) / 1000000;
}

void event_schedule(struct event *e, void (*function)(void *arg), void *arg, uint64_t us)
{
	if (XK_CHECKS && e->state == EVENT_PENDING)
		console_fail("event_schedule", "the event is scheduled already");
	e->function = function;
	e->arg = arg;
	e->cancelled = 0;
	if (us == 0 && !e->busy) {
		start(e);
		return;
	}
	insert_after(e, us ? event_ticks(us) : 1);
}

#if XK_FAST_TIMER
uint64_t event_interrupts(void)
{
	return now;
}

void event_schedule_at(struct event *e, void (*function)(void *arg), void *arg, uint64_t due)
{
	int level = plat_ipl_raise(IPL_CLOCK);

	e->function = function;
	e->arg = arg;
	e->cancelled = 0;
	insert(e, due > now ? due : now + 1);
	plat_ipl_set(level);
}
#endif

enum event_cancel event_cancel(struct event *e)
{
	int level;

	switch (e->state) {
	case EVENT_PENDING:
		level = plat_ipl_raise(IPL_CLOCK);
		remove_from_slot(e);
		plat_ipl_set(level);
		e->state = e->busy;
		if (PREDICT_FALSE(e->busy))
			e->cancelled = 1; /* also what its thread waits to run, if it does */
		return EVENT_CANCELLED;
	case EVENT_READY:
		e->cancelled = 1;
		return EVENT_CANCELLED;
	case EVENT_RUNNING:
		e->cancelled = 1;
		return EVENT_IS_RUNNING;
	default:
		return EVENT_FINISHED;
	}
}
