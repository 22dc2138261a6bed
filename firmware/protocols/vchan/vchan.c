/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/vchan/vchan_private.h"

struct vchan_counts vchan_counts;

/* Channels that are too many go when they come back. */
static void put_back(struct xobj *session, struct xobj *channel)
{
	struct vchan_session *v = session->state;

	if (PREDICT_FALSE(v->total > v->wanted)) {
		v->total--;
		xClose(channel);
		return;
	}
	v->channel[v->free++] = channel;
	sem_signal(&v->available);
}

#if XK_FAST
void vchan_put_back(struct xobj *session, struct xobj *channel)
{
	put_back(session, channel);
}
#endif

static int vchan_call(struct xobj *session, struct msg *m, struct msg *reply)
{
	struct vchan_session *v = session->state;
	struct xobj *channel;
	int result;

	if (PREDICT_FALSE(!v->free))
		vchan_counts.waited++;
	if (PREDICT_FALSE(sem_wait(&v->available))) {
		vchan_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	channel = v->channel[--v->free]; /* the one used last */
	result = xCall(channel, m, reply);
	put_back(session, channel);
	return result;
}

/* One more channel, to the same machine. */
static int add_channel(struct xobj *session)
{
	struct vchan_session *v = session->state;
	struct part parts[2] = { v->parts[0], v->parts[1] };
	struct xobj *channel;

	channel = xOpen(session->protocol, session->type, session->protocol->down[0], parts);
	if (!channel) {
		vchan_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	v->total++;
	v->channel[v->free++] = channel;
	sem_signal(&v->available);
	return XK_OK;
}

static int set_channels(struct xobj *session, uint32_t wanted)
{
	struct vchan_session *v = session->state;

	if (wanted < 1 || wanted > VCHAN_MAX_CHANNELS)
		return XK_ERROR;
	v->wanted = wanted;
	/* One that has come back for a caller who waits is his, though he has not run yet. */
	while (v->total > wanted && sem_try(&v->available) == 0) {
		v->total--;
		xClose(v->channel[--v->free]);
	}
	while (v->total < wanted) {
		int result = add_channel(session);

		if (result < 0) {
			v->wanted = v->total;
			return result;
		}
	}
	return XK_OK;
}

static int vchan_control(struct xobj *session, int op, void *buffer, size_t bytes)
{
	struct vchan_session *v = session->state;

	if (op == VCHAN_SET_CHANNELS && bytes == sizeof(uint32_t))
		return set_channels(session, *(uint32_t *)buffer);
	if (op == VCHAN_GET_CHANNELS && bytes == sizeof(uint32_t)) {
		*(uint32_t *)buffer = (uint32_t)v->total;
		return sizeof(uint32_t);
	}
	return xControl(v->free ? v->channel[0] : session->protocol->down[0], op, buffer, bytes);
}

static void vchan_close(struct xobj *session)
{
	struct vchan_session *v = session->state;

	while (v->free)
		xClose(v->channel[--v->free]);
	xDestroy(session);
}

static const struct xobj_ops session_ops = {
	XOBJ_DEFAULTS,
	.call = vchan_call,
	.close = vchan_close,
	.control = vchan_control,
};

/* The participants' bytes are the caller's: later channels need their own copy. */
static int keep_parts(struct vchan_session *v, const struct part *parts)
{
	for (int p = 0; p < 2; p++) {
		part_init(&v->parts[p]);
		for (int i = 0; i < parts[p].items; i++) {
			size_t bytes = parts[p].item[i].bytes;
			uint8_t *copy = v->address[p * (PART_ITEMS / 2) + i];

			if (i >= PART_ITEMS / 2 || bytes > sizeof v->address[0])
				return -1;
			for (size_t b = 0; b < bytes; b++)
				copy[b] = ((const uint8_t *)parts[p].item[i].data)[b];
			part_push(&v->parts[p], copy, bytes);
		}
	}
	return 0;
}

static struct xobj *vchan_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
			       struct part *parts)
{
	struct xobj *session =
	    xCreateSession(self, &session_ops, receiver, type, NULL, sizeof(struct vchan_session));
	struct vchan_session *v;

	if (!session) {
		vchan_counts.no_memory++;
		return NULL;
	}
	v = session->state;
	sem_init(&v->available, 0);
	if (keep_parts(v, parts) || set_channels(session, VCHAN_CHANNELS) < 0) {
		vchan_close(session);
		return NULL;
	}
	return xDuplicate(session);
}

/* Servers deal with CHAN. */
static int vchan_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
			     struct part *parts)
{
	return xOpenEnable(receiver, type, self->down[0], parts);
}

static int vchan_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      struct part *parts)
{
	return xOpenDisable(receiver, type, self->down[0], parts);
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = vchan_open,
	.open_enable = vchan_open_enable,
	.open_disable = vchan_open_disable,
};

int vchan_init(struct xobj *self)
{
	self->ops = &protocol_ops;
	return XK_OK;
}
