/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of data on its way up from several processors (OSDI'94 4.2). With XK_MP_TICKETS each
 * message has one of these as its attribute. The receiver waits before, and says when it is done;
 * between the two it has the connection's data for itself, in order. */
#pragma once

#include "xkernel/atomic/word.h"
#include "xkernel/console.h"
#include "xkernel/lock/waiting.h"
#include "xkernel/message/msg.h"

struct tcp_order {
	uint64_t number, *served;
	uint64_t left; /* messages of this number that have not been done */
};

static inline void tcp_order_wait(const struct msg *m)
{
	const struct tcp_order *o = m->attribute;
	uint64_t seen, turns = 0;

	if (!o)
		return;
	while ((seen = atomic_look(o->served)) != o->number) {
		if (XK_CHECKS && ++turns > WAITING_LIMIT)
			console_fail("a number of TCP's order was waited for too long", NULL);
		atomic_wait(o->served, seen);
	}
	barrier_acquire();
}

static inline void tcp_order_done(const struct msg *m)
{
	struct tcp_order *o = (struct tcp_order *)m->attribute;

	if (!o || --o->left)
		return;
	barrier_release();
	atomic_publish(o->served, o->number + 1);
	barrier_drain();
}
