/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: start-up, control, news of reboots. */
#include "protocols/bidctl/bidctl.h"
#include "protocols/chan/chan_private.h"
#include "xkernel/map/passive.h"

struct chan_counts chan_counts;

static int chan_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
			    struct part *parts)
{
	struct chan *c = self->state;

	return passive_enable(&c->passive, self, receiver, type);
}

static int chan_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
			     struct part *parts)
{
	struct chan *c = self->state;

	return passive_disable(&c->passive, self, receiver, type);
}

static int reset_client(const uint64_t *key, void *value, void *arg)
{
	struct xobj *session = value;

	if (((struct chan_end *)session->state)->host == *(uint32_t *)arg)
		chan_client_reset(session);
	return MAP_CONTINUE;
}

static int reset_server(const uint64_t *key, void *value, void *arg)
{
	struct xobj *session = value;

	if (((struct chan_end *)session->state)->host != *(uint32_t *)arg)
		return MAP_CONTINUE;
	chan_server_reset(session);
	return MAP_CONTINUE | MAP_REMOVE;
}

/* Neither may block: BIDCTL tells others after us. */
static void peer_rebooted(struct chan *c, uint32_t host)
{
	map_for_each(&c->clients, reset_client, &host);
	map_for_each(&c->servers, reset_server, &host);
	chan_forget_host(c, host);
}

static int packet_size(struct xobj *session, int op, void *buffer, size_t bytes)
{
	int result = xControl(session->down[0], op, buffer, bytes);

	if (result >= 0)
		*(uint32_t *)buffer -= CHAN_HEADER_BYTES;
	return result;
}

static int chan_control(struct xobj *object, int op, void *buffer, size_t bytes)
{
	struct chan_end *e = object == object->protocol ? NULL : object->state;

	switch (op) {
	case BIDCTL_FIRST_CONTACT:
		return XK_OK;
	case BIDCTL_PEER_REBOOTED:
		if (bytes == sizeof(uint32_t))
			peer_rebooted(object->protocol->state, *(uint32_t *)buffer);
		return XK_OK;
	case CHAN_SET_TRIES:
		if (!e || bytes != sizeof(uint32_t) || !*(uint32_t *)buffer)
			return XK_ERROR;
		e->tries_limit = *(uint32_t *)buffer;
		return XK_OK;
	case XK_GET_MAX_PACKET:
	case XK_GET_OPT_PACKET:
		if (e)
			return packet_size(object, op, buffer, bytes);
		break;
	}
	return xControl(object->down[0], op, buffer, bytes);
}

static void client_close(struct xobj *session);
static void server_close(struct xobj *session);

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = chan_open,
	.open_enable = chan_open_enable,
	.open_disable = chan_open_disable,
	.demux = chan_demux,
	.control = chan_control,
};

const struct xobj_ops chan_client_ops = {
	XOBJ_DEFAULTS,	       .call = chan_call,	.pop = chan_client_pop,
	.close = client_close, .control = chan_control,
};

const struct xobj_ops chan_server_ops = {
	XOBJ_DEFAULTS,
	.pop = chan_server_pop,
	.close = server_close,
	.control = chan_control,
};

/* The user gives the channel back. Its sequence stays: the server would drop lower ones. */
static void client_close(struct xobj *session)
{
	struct chan *c = session->protocol->state;
	struct chan_end *e = session->state;

	if (e->gone)
		return;
	chan_fast_forget(session);
	if (chan_remember(session, 1))
		return; /* no memory: the session stays, unused, and remembers it itself */
	map_unbind(&c->clients, e->key);
	chan_bury(session);
}

/* Server sessions stay for the next request, but for zombies. */
static void server_close(struct xobj *session)
{
	struct chan_end *e = session->state;

	if (e->gone)
		chan_bury(session);
}

int chan_init(struct xobj *self)
{
	struct chan *c = xk_allocate_zeroed(sizeof *c);
	int result;

	if (!c || map_init(&c->clients, 64, 2) || map_init(&c->servers, 64, 2) ||
	    map_init(&c->passive, 8, 1) || map_init(&c->dormant, 64, 3))
		return XK_NO_MEMORY;
	self->state = c;
	self->ops = &protocol_ops;
	c->next_channel = 1;
	result = xControl(self->down[1], BIDCTL_WATCH, &self, sizeof self);
	if (result < 0)
		return result;
	chan_collect_start(self);
	return xOpenEnable(self, self, self->down[0], NULL);
}
