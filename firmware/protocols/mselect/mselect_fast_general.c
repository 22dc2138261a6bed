/* SPDX-License-Identifier: BSD-2-Clause */
/* From the fast path of a call into the general way: as mselect_call() ends, and as
 * mselect_call_pop() and chan_server.c's execute() do after the user's answer. Those functions
 * can't be shared in parts: the paper's images would not be the same. */
#include "protocols/mselect/mselect_fast.h"

#if XK_FAST

int mselect_fast_take(struct xobj *session, struct msg *reply)
{
	const struct mselect_session *s = session->state;
	const struct mselect_header *h;

	if (msg_bytes(reply) < MSELECT_HEADER_BYTES) {
		mselect_counts.too_short++;
		return XK_ERROR;
	}
	h = msg_pop(reply, MSELECT_HEADER_BYTES);
	if (!h) {
		mselect_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	if (h->id != s->id) {
		mselect_counts.wrong_id++;
		return XK_ERROR;
	}
	if (h->status != MSELECT_OK) {
		mselect_counts.failed++;
		return XK_REFUSED;
	}
	return XK_OK;
}

/* MSELECT's header. Without memory the reply stays as it is, and CHAN sends it. */
static void head(const struct mselect_session *s, int result, struct msg *reply)
{
	struct mselect_header *h;

	if (result < 0) {
		mselect_fail(s->id, reply);
		return;
	}
	h = msg_push(reply, MSELECT_HEADER_BYTES);
	if (!h) {
		mselect_counts.no_memory++;
		return;
	}
	h->id = s->id;
	h->status = MSELECT_OK;
}

void mselect_fast_answer(struct xobj *session, int result, struct msg *reply, uint32_t sequence)
{
	struct xobj *channel = session->down[0];
	struct chan_end *e = channel->state;

	head(session->state, result, reply);
	if (e->gone || e->sequence != sequence) {
		chan_counts.unwanted++;
		msg_destroy(reply);
		return;
	}
	msg_share(&e->kept, reply);
	e->tries = 0;
	e->state = CHAN_WAIT;
	result = chan_send(channel, reply, CHAN_USER_MSG, sequence);
	msg_destroy(reply);
	if (result > 0)
		chan_note_handle(channel, sequence, result);
	if (e->state == CHAN_WAIT && e->sequence == sequence && !e->gone)
		chan_arm(channel, chan_ask_for_ack, CHAN_WAIT_US);
}

#endif
