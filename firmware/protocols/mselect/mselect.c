/* SPDX-License-Identifier: BSD-2-Clause */
/* MSELECT: start-up, opens, the client's call. */
#include "protocols/mselect/mselect_private.h"
#include "xkernel/map/passive.h"

struct mselect_counts mselect_counts;

int mselect_call(struct xobj *session, struct msg *m, struct msg *reply)
{
	const struct mselect_session *s = session->state;
	struct mselect_header *h = msg_push(m, MSELECT_HEADER_BYTES);
	int result;

	if (PREDICT_FALSE(!h)) {
		mselect_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h->id = s->id;
	h->status = 0;
	result = xCall(session->down[0], m, reply);
	if (PREDICT_FALSE(result < 0))
		return result;
	if (PREDICT_FALSE(msg_bytes(reply) < MSELECT_HEADER_BYTES)) {
		mselect_counts.too_short++;
		return XK_ERROR;
	}
	h = msg_pop(reply, MSELECT_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		mselect_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	if (PREDICT_FALSE(h->id != s->id)) {
		mselect_counts.wrong_id++;
		return XK_ERROR;
	}
	if (PREDICT_FALSE(h->status != MSELECT_OK)) {
		mselect_counts.failed++;
		return XK_REFUSED;
	}
	return XK_OK;
}

static void client_close(struct xobj *session)
{
	xClose(session->down[0]);
	xDestroy(session);
}

const struct xobj_ops mselect_client_ops = {
	XOBJ_DEFAULTS,
	.call = XK_FAST ? mselect_fast_call : mselect_call,
	.close = client_close,
};

const struct xobj_ops mselect_server_ops = {
	XOBJ_DEFAULTS,
	.call_pop = mselect_call_pop,
};

static struct xobj *mselect_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
				 struct part *parts)
{
	int64_t id = graph_number(self, type);
	struct xobj *lower, *session;

	if (id < 0)
		return NULL;
	lower = xOpen(self, self, self->down[0], parts);
	if (!lower)
		return NULL;
	session = xCreateSession(self, &mselect_client_ops, receiver, type, lower,
				 sizeof(struct mselect_session));
	if (!session) {
		mselect_counts.no_memory++;
		xClose(lower);
		return NULL;
	}
	((struct mselect_session *)session->state)->id = swap32((uint32_t)id);
	return xDuplicate(session);
}

/* CHAN is enabled with the first procedure and stays so. */
static int mselect_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
			       struct part *parts)
{
	struct mselect *s = self->state;
	int first = s->passive.entries == 0;
	int result = passive_enable(&s->passive, self, receiver, type);

	if (result < 0 || !first)
		return result;
	result = xOpenEnable(self, self, self->down[0], parts);
	if (result < 0)
		passive_disable(&s->passive, self, receiver, type);
	return result;
}

static int mselect_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
				struct part *parts)
{
	struct mselect *s = self->state;
	int result = passive_disable(&s->passive, self, receiver, type);

	if (result < 0 || s->passive.entries)
		return result;
	return xOpenDisable(self, self, self->down[0], parts);
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = mselect_open,
	.open_enable = mselect_open_enable,
	.open_disable = mselect_open_disable,
	.call_demux = mselect_call_demux,
};

int mselect_init(struct xobj *self)
{
	struct mselect *s = xk_allocate_zeroed(sizeof *s);

	if (!s || map_init(&s->active, 32, 2) || map_init(&s->passive, 8, 1))
		return XK_NO_MEMORY;
	self->state = s;
	self->ops = &protocol_ops;
	idle_start(&s->idle, &s->active, mselect_session_destroy);
	return XK_OK;
}
