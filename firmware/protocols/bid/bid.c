/* SPDX-License-Identifier: BSD-2-Clause */
/* BID: start-up, the way down, control. */
#include "protocols/bid/bid_private.h"
#include "protocols/bidctl/bidctl.h"
#include "xkernel/memory/allocate.h"

struct bid_counts bid_counts;

/* Nobody has told us the peer's id yet: this thread waits for it. */
static int wait_for_peer(struct xobj *session)
{
	struct bid_session *s = session->state;
	int result = xControl(session->down[1], BIDCTL_WAIT, NULL, 0);

	if (result < 0)
		return result;
	if (!s->header.destination)
		xControl(session->down[1], BIDCTL_GET_PEER_ID, &s->header.destination,
			 sizeof s->header.destination);
	return s->header.destination ? XK_OK : XK_TIMED_OUT;
}

static int bid_push(struct xobj *session, struct msg *m)
{
	const struct bid_session *s = session->state;
	struct bid_header *h;

	if (PREDICT_FALSE(!s->header.destination)) {
		int result = wait_for_peer(session);

		if (result < 0)
			return result;
	}
	h = msg_push(m, BID_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		bid_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h->source = s->header.source;
	h->destination = s->header.destination;
	h->upper = s->header.upper;
	return xPush(session->down[0], m);
}

static int bid_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	session->used = 1;
	return xDemux(session, m);
}

struct news { /* what BIDCTL passes */
	uint32_t host;
};

static int update(const uint64_t *key, void *value, void *arg)
{
	struct xobj *session = value;
	struct bid_session *s = session->state;

	if (s->host == ((struct news *)arg)->host)
		xControl(session->down[1], BIDCTL_GET_PEER_ID, &s->header.destination,
			 sizeof s->header.destination);
	return MAP_CONTINUE;
}

static int packet_size(struct xobj *session, int op, void *buffer, size_t bytes)
{
	int result = xControl(session->down[0], op, buffer, bytes);

	if (result >= 0)
		*(uint32_t *)buffer -= BID_HEADER_BYTES;
	return result;
}

static int bid_control(struct xobj *object, int op, void *buffer, size_t bytes)
{
	struct bid *b = object->protocol->state;
	int is_session = object != object->protocol;

	switch (op) {
	case BIDCTL_FIRST_CONTACT:
	case BIDCTL_PEER_REBOOTED:
		if (bytes == sizeof(struct news))
			map_for_each(&b->active, update, buffer);
		return XK_OK;
	case BIDCTL_GET_PEER_ID:
		return xControl(object->down[1], op, buffer, bytes);
	case XK_GET_MAX_PACKET:
	case XK_GET_OPT_PACKET:
		if (is_session)
			return packet_size(object, op, buffer, bytes);
		break;
	}
	return xControl(object->down[0], op, buffer, bytes);
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = bid_open,
	.open_enable = bid_open_enable,
	.open_disable = bid_open_disable,
	.demux = bid_demux,
	.control = bid_control,
};

const struct xobj_ops bid_session_ops = {
	XOBJ_DEFAULTS,
	.push = bid_push,
	.pop = bid_pop,
	.control = bid_control,
};

int bid_init(struct xobj *self)
{
	struct bid *b = xk_allocate_zeroed(sizeof *b);
	int result;

	if (!b || map_init(&b->active, 32, 2) || map_init(&b->passive, 8, 1))
		return XK_NO_MEMORY;
	self->state = b;
	self->ops = &protocol_ops;
	result = xControl(self->down[1], BIDCTL_GET_OWN_ID, &b->own, sizeof b->own);
	if (result >= 0)
		result = xControl(self->down[1], BIDCTL_WATCH, &self, sizeof self);
	if (result < 0)
		return result;
	idle_start(&b->idle, &b->active, bid_session_destroy);
	return xOpenEnable(self, self, self->down[0], NULL);
}
