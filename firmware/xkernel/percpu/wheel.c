/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of several processors, in the place of xkernel/thread/event.c: the same wheel, with a lock
 * for each of its slots. The interval timer only counts. Who calls event_turn claims the slots that
 * are over, one after the other, and runs what is due in them himself. */
#include <stddef.h>

#include "xkernel/console.h"
#include "xkernel/lock/lock.h"
#include "xkernel/switches.h"
#include "xkernel/thread/event.h"

enum { SLOTS = 128 };

static struct slot {
	struct lock lock;
	struct event *first;
} wheel[SLOTS];

static uint64_t now __attribute__((aligned(XK_MP_BLOCK)));  /* timer interrupts so far */
static uint64_t done __attribute__((aligned(XK_MP_BLOCK))); /* slots claimed up to this time */

static struct slot *slot_of(uint64_t due)
{
	return &wheel[due % SLOTS];
}

static void slot_lock(struct slot *slot)
{
	lock_acquire(&slot->lock, LOCK_MUTEX);
}

static void slot_unlock(struct slot *slot)
{
	lock_release(&slot->lock, LOCK_MUTEX);
}

void event_interrupt(void)
{
	atomic_write(&now, now + 1);
}

void event_init(void)
{
	plat_on_timer(event_interrupt);
}

uint64_t event_now_ms(void)
{
	return atomic_read(&now) * 1000 / plat_boot()->timer_hz;
}

uint64_t event_ticks(uint64_t us)
{
	return (us * plat_boot()->timer_hz + 999999) / 1000000;
}

/* Its slot is locked. */
static void link_in(struct slot *slot, struct event *e)
{
	e->next = slot->first;
	if (e->next)
		e->next->link = &e->next;
	e->link = &slot->first;
	slot->first = e;
}

static void take_out(struct event *e)
{
	*e->link = e->next;
	if (e->next)
		e->next->link = e->link;
}

struct call {
	void (*function)(void *arg);
	void *arg;
};

/* A slot that has been claimed meanwhile would not be looked at for a whole turn of the wheel. */
static void insert(struct event *e, struct call call, uint64_t due)
{
	for (;; due++) {
		struct slot *slot = slot_of(due);

		slot_lock(slot);
		if (due > atomic_look(&done)) {
			atomic_write(&e->due, due);
			atomic_write(&e->state, EVENT_PENDING);
			atomic_write(&e->cancelled, 0);
			e->function = call.function;
			e->arg = call.arg;
			link_in(slot, e);
			slot_unlock(slot);
			return;
		}
		slot_unlock(slot);
	}
}

void event_schedule(struct event *e, void (*function)(void *arg), void *arg, uint64_t us)
{
	uint64_t ticks = us ? event_ticks(us) : 1;

	if (XK_CHECKS && atomic_read(&e->state) == EVENT_PENDING)
		console_fail("event_schedule", "the event is scheduled already");
	insert(e, (struct call){ function, arg }, atomic_read(&now) + ticks);
}

/* The first event of a slot that is due, taken out of it; NULL: none. With `busy` it is one whose
 * last run has not returned. */
static struct event *take_due(struct slot *slot, uint64_t time, int busy, struct call *call)
{
	struct event *e;

	slot_lock(slot);
	e = slot->first;
	while (e && (e->due > time || (atomic_look(&e->busy) != EVENT_IDLE) != busy))
		e = e->next;
	if (e) {
		take_out(e);
		*call = (struct call){ e->function, e->arg };
		atomic_write(&e->state, busy ? EVENT_READY : EVENT_RUNNING);
		if (!busy)
			atomic_write(&e->busy, EVENT_RUNNING);
	}
	slot_unlock(slot);
	return e;
}

/* It may schedule itself again, which leaves it pending. */
static void run(struct event *e, struct slot *slot, const struct call *call)
{
	call->function(call->arg);
	slot_lock(slot);
	if (atomic_read(&e->state) == EVENT_RUNNING)
		atomic_write(&e->state, EVENT_IDLE);
	slot_unlock(slot);
	barrier_release();
	atomic_publish(&e->busy, EVENT_IDLE);
	barrier_drain();
}

static void turn_slot(uint64_t time)
{
	struct slot *slot = slot_of(time);
	struct event *e;
	struct call call;

	while ((e = take_due(slot, time, 0, &call)))
		run(e, slot, &call);
	while ((e = take_due(slot, time, 1, &call)))
		insert(e, call, time + 1);
}

void event_turn(void)
{
	uint64_t time;

	while ((time = atomic_read(&done)) < atomic_read(&now))
		if (atomic_compare_swap(&done, time, time + 1)) {
			barrier_acquire();
			turn_slot(time + 1);
		}
}

enum event_cancel event_cancel(struct event *e)
{
	for (;;) {
		uint64_t due = atomic_read(&e->due), state;
		struct slot *slot = slot_of(due);

		slot_lock(slot);
		state = atomic_read(&e->state);
		/* Scheduled anew meanwhile, or on its way to another slot. */
		if (state == EVENT_READY ||
		    (state == EVENT_PENDING && atomic_read(&e->due) != due)) {
			slot_unlock(slot);
			continue;
		}
		if (state == EVENT_PENDING) {
			take_out(e);
			atomic_write(&e->state, EVENT_IDLE);
		} else if (state == EVENT_RUNNING) {
			atomic_write(&e->cancelled, 1);
		}
		slot_unlock(slot);
		if (state == EVENT_PENDING)
			return EVENT_CANCELLED;
		return state == EVENT_RUNNING ? EVENT_IS_RUNNING : EVENT_FINISHED;
	}
}
