/* SPDX-License-Identifier: BSD-2-Clause */
/* Events: a function called later, in a thread of its own. A timing wheel of 128 slots turned by
 * the interval timer. The structure is the caller's and must live until the event has finished. */
#pragma once

#include <stdint.h>

#include "xkernel/thread/thread.h"

enum event_state { EVENT_IDLE, EVENT_PENDING, EVENT_READY, EVENT_RUNNING };
enum event_cancel { EVENT_FINISHED, EVENT_IS_RUNNING, EVENT_CANCELLED };

struct event {
	struct event *next;
	struct event **link; /* what points at us while pending */
	uint64_t due;	     /* timer interrupt number */
	void (*function)(void *arg);
	void *arg;
	uint64_t state;	    /* enum event_state */
	uint64_t busy;	    /* its thread: EVENT_READY, EVENT_RUNNING, or EVENT_IDLE: at rest */
	uint64_t cancelled; /* a running event may look at this */
	struct thread thread;
};

void event_init(void);		   /* the module */
uint64_t event_now_ms(void);	   /* since start, by the interval timer */
uint64_t event_ticks(uint64_t us); /* timer interrupts in so many microseconds, rounded up */

/* Once, `us` microseconds from now, rounded up to timer interrupts of which the first may come at
 * any moment (0: as soon as the scheduler comes to it). The event must not be pending; it is zeroed
 * at first. An event that is ready runs at the new time instead. An event that runs may schedule
 * itself again, and then runs again after it has returned. */
void event_schedule(struct event *e, void (*function)(void *arg), void *arg, uint64_t us);
enum event_cancel event_cancel(struct event *e);

/* With XK_MP: runs, on this processor, what is due and nobody has begun (percpu/wheel.c). */
void event_turn(void);
void event_interrupt(void); /* the timer's handler; an application's own handler calls it */

/* With XK_FAST_TIMER: the timer interrupts so far, and a schedule by their number. */
uint64_t event_interrupts(void);
void event_schedule_at(struct event *e, void (*function)(void *arg), void *arg, uint64_t due);
