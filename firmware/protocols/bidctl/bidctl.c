/* SPDX-License-Identifier: BSD-2-Clause */
/* BIDCTL: start-up, opens, control. */
#include "protocols/bidctl/bidctl_private.h"
#include "protocols/vnet/vnet.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/seed.h"

struct bidctl_counts bidctl_counts;

static struct xobj *bidctl_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
				struct part *parts)
{
	struct xobj *lower = xOpen(self, self, self->down[0], parts), *peer;
	uint32_t host;

	if (!lower)
		return NULL;
	if (xControl(lower, XK_GET_PEER_HOST, &host, sizeof host) < 0) {
		xClose(lower);
		return NULL;
	}
	peer = bidctl_peer_find(self, lower, host);
	xClose(lower); /* the session has its own */
	if (!peer)
		return NULL;
	xDuplicate(peer);
	if (!((struct bidctl_peer *)peer->state)->id)
		bidctl_ask(peer);
	return peer;
}

static int put_id(uint32_t id, void *buffer, size_t bytes)
{
	if (bytes < sizeof id)
		return XK_ERROR;
	*(uint32_t *)buffer = id;
	return sizeof id;
}

static int watch(struct bidctl *b, struct xobj *watcher)
{
	if (b->watchers == BIDCTL_WATCHERS)
		return XK_ERROR;
	b->watcher[b->watchers++] = watcher;
	return XK_OK;
}

static int bidctl_control(struct xobj *object, int op, void *buffer, size_t bytes)
{
	struct bidctl *b = object->protocol->state;
	struct bidctl_peer *p = object == object->protocol ? NULL : object->state;

	if (op == BIDCTL_GET_OWN_ID)
		return put_id(b->own, buffer, bytes);
	if (op == BIDCTL_WATCH && bytes == sizeof(struct xobj *))
		return watch(b, *(struct xobj **)buffer);
	if (!p)
		return xControl(object->down[0], op, buffer, bytes);
	p->used = event_now_ms();
	switch (op) {
	case BIDCTL_GET_PEER_ID:
		return put_id(p->id, buffer, bytes);
	case BIDCTL_WAIT:
		return bidctl_wait(object);
	case BIDCTL_SUSPECT:
		bidctl_ask(object);
		return XK_OK;
	default:
		return xControl(object->down[0], op, buffer, bytes);
	}
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = bidctl_open,
	.demux = bidctl_demux,
	.control = bidctl_control,
};

const struct xobj_ops bidctl_session_ops = {
	XOBJ_DEFAULTS,
	.control = bidctl_control,
};

int bidctl_init(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();
	struct bidctl *b = xk_allocate_zeroed(sizeof *b);

	if (!b || map_init(&b->peers, 32, 1))
		return XK_NO_MEMORY;
	self->state = b;
	self->ops = &protocol_ops;
	b->own = (uint32_t)seed_number(SEED_BOOT_ID);
	if (!b->own)
		b->own = 1;
	b->next_tag = (uint32_t)seed_number(SEED_BIDCTL_TAG);
	b->boot_due = BIDCTL_BOOT_MIN_MS + seed_number(SEED_BIDCTL_TAG) % BIDCTL_BOOT_RANDOM_MS;
	bidctl_clock_start(self);
	/* For the broadcast; nobody answers at that address. */
	neighbour_add((uint32_t)(boot->ip | ~boot->netmask), 0xffffffffffff);
	return xOpenEnable(self, self, self->down[0], NULL);
}
