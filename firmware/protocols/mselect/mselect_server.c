/* SPDX-License-Identifier: BSD-2-Clause */
/* MSELECT: the server's side. */
#include "protocols/chan/chan_private.h"
#include "protocols/mselect/mselect_private.h"
#include "xkernel/map/passive.h"

void mselect_session_destroy(struct xobj *session)
{
	chan_fast_forget(session->down[0]);
	xClose(session->down[0]);
	xDestroy(session);
}

/* Whatever is in the reply goes; the header alone says FAIL. */
static int fail(uint32_t id, struct msg *reply)
{
	struct mselect_header *h;

	msg_destroy(reply);
	h = msg_push(reply, MSELECT_HEADER_BYTES);
	if (!h) {
		mselect_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h->id = id;
	h->status = MSELECT_FAIL;
	return XK_OK;
}

static struct xobj *passive_open(struct xobj *self, struct xobj *lower, uint32_t id)
{
	struct mselect *s = self->state;
	uint64_t number = id;
	struct passive_enable *enable = map_resolve(&s->passive, &number, 1);
	struct mselect_session *state;
	struct xobj *session;

	if (!enable) {
		mselect_counts.unknown_id++;
		return NULL;
	}
	if (!idle_make_room(&s->idle)) {
		mselect_counts.no_memory++;
		return NULL;
	}
	session = xCreateSession(self, &mselect_server_ops, enable->receiver, enable->type,
				 xDuplicate(lower), sizeof *state);
	if (!session) {
		mselect_counts.no_memory++;
		xClose(lower);
		return NULL;
	}
	state = session->state;
	state->id = id;
	state->key[0] = (uint64_t)(uintptr_t)lower;
	state->key[1] = id;
	if (map_bind(&s->active, state->key, session)) {
		mselect_counts.no_memory++;
		mselect_session_destroy(session);
		return NULL;
	}
	if (xOpenDone(enable->receiver, session, self) < 0)
		return NULL;
	return session;
}

int mselect_call_demux(struct xobj *self, struct xobj *lower, struct msg *m, struct msg *reply)
{
	struct mselect *s = self->state;
	const struct mselect_header *h;
	struct xobj *session;
	uint64_t key[2];
	uint32_t id;

	if (PREDICT_FALSE(msg_bytes(m) < MSELECT_HEADER_BYTES)) {
		mselect_counts.too_short++;
		return fail(0, reply);
	}
	h = msg_pop(m, MSELECT_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		mselect_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	id = h->id;
	key[0] = (uint64_t)(uintptr_t)lower;
	key[1] = id;
	session = map_resolve(&s->active, key, 2);
	if (PREDICT_FALSE(!session)) {
		session = passive_open(self, lower, id);
		if (!session)
			return fail(id, reply);
	}
	return xCallPop(session, lower, m, NULL, reply);
}

int mselect_call_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header,
		     struct msg *reply)
{
	const struct mselect_session *s = session->state;
	struct mselect_header *h;

	session->used = 1;
	if (XK_FAST_IN)
		mselect_fast_serve(session);
	if (PREDICT_FALSE(xCallDemux(session, m, reply) < 0))
		return fail(s->id, reply);
	h = msg_push(reply, MSELECT_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		mselect_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h->id = s->id;
	h->status = MSELECT_OK;
	return XK_OK;
}

#if XK_FAST
int mselect_fail(uint32_t id, struct msg *reply)
{
	return fail(id, reply);
}
#endif
