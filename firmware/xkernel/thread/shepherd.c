/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/thread/shepherd.h"

#include "platform/marker.h"
#include "platform/platform.h"
#include "xkernel/switches.h"
#include "xkernel/thread/event.h"

struct shepherd_counts shepherd_counts;

static struct shepherd shepherds[SHEPHERDS];
static struct shepherd *pool;	 /* shared with the interrupt handler */
static struct shepherd *starved; /* no memory for their message; threads only */
static struct event feed_event;

enum { FEED_US = 100000 };

static void give(struct shepherd *s)
{
	int level = plat_ipl_raise(IPL_NET);

	s->next = pool;
	pool = s;
	plat_ipl_set(level);
}

struct shepherd *shepherd_take(void)
{
	struct shepherd *s = pool;

	if (PREDICT_FALSE(!s)) {
		shepherd_counts.none_left++;
		return NULL;
	}
	pool = s->next;
	return s;
}

void shepherd_put_back(struct shepherd *s)
{
	s->next = pool;
	pool = s;
}

/* Retried by time, not by the next frame: with all shepherds starved there would be none. */
static void feed(void *arg)
{
	while (starved) {
		struct shepherd *s = starved;

		if (msg_refresh_frame(&s->msg)) {
			event_schedule(&feed_event, feed, NULL, FEED_US);
			return;
		}
		starved = s->next;
		give(s);
	}
}

static void starve(struct shepherd *s)
{
	shepherd_counts.refresh_failed++;
	s->next = starved;
	starved = s;
	if (feed_event.state == EVENT_IDLE)
		event_schedule(&feed_event, feed, NULL, FEED_US);
}

/* The path: from here, after the switch to this thread, until the message has been refreshed. */
static __attribute__((noinline)) void shepherd_run(void *arg)
{
	struct shepherd *s = arg;
	int failed;

	MARK(MARK_OPEN, WINDOW_PATH);
	xDemux(s->session, &s->msg);
	failed = msg_refresh_frame(&s->msg);
	MARK(MARK_CLOSE, WINDOW_PATH);
	if (PREDICT_FALSE(failed))
		starve(s);
	else
		give(s);
}

void shepherd_deliver(struct shepherd *s, struct xobj *session, size_t bytes)
{
	s->session = session;
	s->msg.tail = s->msg.head + bytes;
	shepherd_counts.delivered++;
	thread_ready(&s->thread, shepherd_run, s);
}

int shepherd_init(void)
{
	for (size_t i = 0; i < SHEPHERDS; i++) {
		if (msg_init_frame(&shepherds[i].msg))
			return -1;
		give(&shepherds[i]);
	}
	return 0;
}
