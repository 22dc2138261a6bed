/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path's channel (protocols/mselect/mselect_fast.h). */
#include "protocols/chan/chan_private.h"

#if XK_FAST

struct xobj *chan_fast_session;

void chan_fast_forget(struct xobj *session)
{
	struct chan_end *e = session->state;

	if (XK_FAST_TABLE)
		chan_fast_leave(session);
	if (chan_fast_session == session)
		chan_fast_session = NULL;
	if (e->fast.ready)
		msg_destroy(&e->fast.reply);
	e->fast.ready = 0;
}

#endif
