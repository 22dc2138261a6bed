/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: a timer that is not cancelled at every reply: when its event comes it looks whether it is
 * due. Calls that last less than the timer leave one event in the wheel between them. */
#include "protocols/chan/chan_private.h"

#if XK_FAST_TIMER

static void look(void *arg)
{
	struct xobj *session = arg;
	struct chan_end *e = session->state;
	void (*function)(void *session) = e->when.function;

	if (!function)
		return;
	if (event_interrupts() < e->when.due) {
		event_schedule_at(&e->timer, look, session, e->when.due);
		return;
	}
	e->when.function = NULL;
	function(session);
}

void chan_arm_ticks(struct xobj *session, void (*function)(void *session), uint64_t ticks)
{
	struct chan_end *e = session->state;
	uint64_t due = event_interrupts() + ticks;

	e->when.function = function;
	e->when.due = due;
	if (PREDICT_TRUE(e->timer.state == EVENT_PENDING)) {
		if (PREDICT_TRUE(e->timer.due <= due))
			return;
		event_cancel(&e->timer);
	}
	event_schedule_at(&e->timer, look, session, due);
}

#endif
