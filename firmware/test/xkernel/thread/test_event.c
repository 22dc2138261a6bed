/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/tcp_case.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/semaphore.h"

static struct event events[400];
static double fired[400];
static int count;
static struct semaphore hold;

static void note(void *arg)
{
	fired[(uintptr_t)arg] = now_ms();
	count++;
}

static void schedule_many(void *)
{
	for (uintptr_t i = 0; i < 400; i++)
		event_schedule(&events[i], note, (void *)i, 1 + i * 1777);
}

/* At 1024 Hz, rounded up to interrupts; beyond one turn of the wheel (125 ms) as well. */
CASE(event_on_time, kernel_start())
{
	wait_ms(3.3);
	double start = now_ms();
	host_call(schedule_many, NULL);
	wait_ms(1000);
	CHECK_EQUAL(count, 400);
	for (int i = 0; i < 400; i++) {
		double want = (1 + i * 1777) / 1000.0, got = fired[i] - start;

		CHECK(got > want - 0.98 && got <= want + 0.98);
	}
}

static void cancel_half(void *)
{
	for (int i = 0; i < 400; i += 2)
		CHECK_EQUAL(event_cancel(&events[i]), EVENT_CANCELLED);
	CHECK_EQUAL(event_cancel(&events[0]), EVENT_FINISHED);
}

CASE(event_cancel, kernel_start())
{
	host_call(schedule_many, NULL);
	host_call(cancel_half, NULL);
	wait_ms(1000);
	CHECK_EQUAL(count, 200);
	CHECK(fired[1] > 0 && fired[0] == 0);
}

static void start_and_cancel(void *)
{
	event_schedule(&events[0], note, NULL, 0);
	event_schedule(&events[1], note, NULL, 0);
	CHECK_EQUAL(event_cancel(&events[0]), EVENT_CANCELLED);
}

CASE(event_at_once, kernel_start())
{
	host_call(start_and_cancel, NULL);
	CHECK_EQUAL(count, 1);
	CHECK_EQUAL(events[0].state, EVENT_IDLE);
}

static void again(void *arg)
{
	note(arg);
	CHECK_EQUAL(event_cancel(&events[0]), EVENT_IS_RUNNING);
	if (count < 10)
		event_schedule(&events[0], again, arg, 5000);
}

static void start_again(void *arg)
{
	event_schedule(&events[0], again, arg, 5000);
}

CASE(event_schedules_itself, kernel_start())
{
	host_call(start_again, NULL);
	wait_ms(200);
	CHECK_EQUAL(count, 10);
	CHECK(fired[0] > 45 && fired[0] < 65);
}

/* It scheduled itself and then blocked: the next run waits for the end of this one. */
static void blocks(void *arg)
{
	count++;
	if (count == 1) {
		event_schedule(&events[0], blocks, arg, 1000);
		CHECK_EQUAL(sem_wait(&hold), 0);
		fired[0] = now_ms();
	} else {
		fired[1] = now_ms();
	}
}

static void start_blocking(void *arg)
{
	sem_init(&hold, 0);
	event_schedule(&events[0], blocks, arg, 1000);
}

static void release(void *)
{
	sem_signal(&hold);
}

CASE(event_never_twice_at_once, kernel_start())
{
	host_call(start_blocking, NULL);
	wait_ms(50);
	CHECK_EQUAL(count, 1);
	host_call(release, NULL);
	wait_ms(10);
	CHECK_EQUAL(count, 2);
	CHECK(fired[0] >= 50 && fired[1] >= fired[0]);
}

/* Ready, its thread in the queue: scheduled anew it runs once, when it is due now. */
static void schedule_again_while_ready(void *arg)
{
	event_schedule(&events[0], note, arg, 0);
	event_schedule(&events[0], note, (void *)1, 50000);
	event_schedule(&events[2], note, (void *)2, 0);
	event_schedule(&events[2], note, (void *)3, 0);
}

CASE(event_ready_is_scheduled_anew, kernel_start())
{
	host_call(schedule_again_while_ready, NULL);
	wait_ms(2);
	CHECK_EQUAL(count, 1); /* the one due at once, a tick later */
	CHECK(fired[3] > 0);
	CHECK_EQUAL(events[0].state, EVENT_PENDING);
	wait_ms(200);
	CHECK_EQUAL(count, 2);
	CHECK(fired[1] > 48 && fired[1] < 52);
	CHECK_EQUAL(events[0].state, EVENT_IDLE);
	CHECK_EQUAL(events[0].busy, EVENT_IDLE);
}

/* The same, and taken back: neither the old nor the new one runs. Then it is as good as new. */
static void schedule_and_cancel_while_ready(void *arg)
{
	event_schedule(&events[0], note, arg, 0);
	event_schedule(&events[0], note, arg, 1000);
	CHECK_EQUAL(event_cancel(&events[0]), EVENT_CANCELLED);
}

static void schedule_cancel_schedule(void *arg)
{
	schedule_and_cancel_while_ready(arg);
	CHECK_EQUAL(event_cancel(&events[0]), EVENT_CANCELLED); /* it is ready again, for nothing */
	event_schedule(&events[0], note, (void *)1, 1000);
}

CASE(event_ready_is_scheduled_and_cancelled, kernel_start())
{
	host_call(schedule_and_cancel_while_ready, NULL);
	wait_ms(200);
	CHECK_EQUAL(count, 0);
	CHECK_EQUAL(events[0].state, EVENT_IDLE);
	host_call(schedule_cancel_schedule, NULL);
	wait_ms(200);
	CHECK_EQUAL(count, 1);
	CHECK(fired[1] > 200);
}

static void schedule_pending(void *arg)
{
	event_schedule(&events[0], blocks, arg, 1000);
	event_schedule(&events[0], blocks, arg, 1000);
}

/* The caller's mistake ends the machine with a message (XK_CHECKS). */
CASE(event_twice_pending_is_refused, kernel_start())
{
	host_call(schedule_pending, NULL);
	CHECK_EQUAL(host_exit_code(), 1);
	CHECK(strstr(host_console(), "scheduled already"));
}
