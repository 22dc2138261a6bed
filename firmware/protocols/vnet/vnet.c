/* SPDX-License-Identifier: BSD-2-Clause */
/* VNET. A session stands above one ETH session, and is that session's `up`: a received message
 * crosses VNET without any look-up. */
#include "protocols/vnet/vnet.h"

#include "platform/platform.h"
#include "protocols/eth/eth.h"
#include "xkernel/map/map.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/thread/idle.h"

struct vnet_counts vnet_counts;

struct vnet {
	struct map active;  /* lower session -> session */
	struct map passive; /* type -> receiver */
	struct idle_collector idle;
};

static int vnet_push(struct xobj *session, struct msg *m)
{
	return xPush(session->down[0], m);
}

static int vnet_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	xUsed(session);
	return xDemux(session, m);
}

static int vnet_session_demux(struct xobj *session, struct xobj *lower, struct msg *m)
{
	return xPop(session, lower, m, NULL);
}

static const struct xobj_ops session_ops = {
	XOBJ_DEFAULTS,
	.push = vnet_push,
	.demux = vnet_session_demux,
	.pop = vnet_pop,
};

static void vnet_session_destroy(struct xobj *session)
{
	struct xobj *lower = session->down[0];

	lower->up = session->protocol; /* its next message makes a new one of us */
	xClose(lower);
	xDestroy(session);
}

/* Takes over one reference to `lower`, also when it fails. */
static struct xobj *session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
				 struct xobj *lower)
{
	struct vnet *vnet = self->state;
	uint64_t key = (uint64_t)(uintptr_t)lower;
	struct xobj *session = map_find(&vnet->active, &key);

	if (session) {
		xClose(lower);
		return session;
	}
	if (idle_make_room(&vnet->idle))
		session = xCreateSession(self, &session_ops, receiver, type, lower, 0);
	if (session && map_bind(&vnet->active, &key, session)) {
		xDestroy(session);
		session = NULL;
	}
	if (!session) {
		vnet_counts.no_memory++;
		xClose(lower);
		return NULL;
	}
	xUsed(session);
	lower->up = session;
	return session;
}

static struct xobj *vnet_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      struct part *parts)
{
	const struct boot_params *boot = plat_boot();
	const uint32_t *host = part_pop(parts, sizeof *host);
	struct part below[2];
	struct xobj *lower, *session;
	uint64_t mac = 0;

	/* One interface: our own network, and no router. */
	if (host && !((*host ^ boot->ip) & boot->netmask))
		mac = neighbour_find(*host);
	if (!mac) {
		vnet_counts.unreachable++;
		return NULL;
	}
	parts_init(below);
	part_push(&below[0], &mac, ETH_MAC_BYTES);
	lower = xOpen(self, type, self->down[0], below);
	if (!lower)
		return NULL;
	session = session_make(self, receiver, type, lower);
	return session ? xDuplicate(session) : NULL;
}

/* In graphs with ARP, which finds the station when something is pushed. */
static struct xobj *vnet_open_by_arp(struct xobj *self, struct xobj *receiver, struct xobj *type,
				     struct part *parts)
{
	struct xobj *lower, *session;

	if (!self->down[1])
		return vnet_open(self, receiver, type, parts);
	lower = xOpen(self, type, self->down[1], parts);
	if (!lower) {
		vnet_counts.unreachable++;
		return NULL;
	}
	session = session_make(self, receiver, type, lower);
	return session ? xDuplicate(session) : NULL;
}

static int vnet_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
			    struct part *parts)
{
	struct vnet *vnet = self->state;
	uint64_t key = (uint64_t)(uintptr_t)type;
	int result;

	if (map_bind(&vnet->passive, &key, receiver))
		return XK_ERROR;
	result = xOpenEnable(self, type, self->down[0], parts);
	if (result < 0)
		map_unbind(&vnet->passive, &key);
	return result;
}

static int vnet_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
			     struct part *parts)
{
	struct vnet *vnet = self->state;
	uint64_t key = (uint64_t)(uintptr_t)type;

	if (map_find(&vnet->passive, &key) != receiver)
		return XK_ERROR;
	map_unbind(&vnet->passive, &key);
	return xOpenDisable(self, type, self->down[0], parts);
}

static struct xobj *passive_open(struct xobj *self, struct xobj *lower)
{
	struct vnet *vnet = self->state;
	uint64_t key = (uint64_t)(uintptr_t)lower->type;
	struct xobj *receiver = map_find(&vnet->passive, &key), *session;

	if (!receiver)
		return NULL;
	session = session_make(self, receiver, lower->type, xDuplicate(lower));
	if (!session || xOpenDone(receiver, session, self) < 0)
		return NULL;
	return session;
}

static int vnet_open_done(struct xobj *self, struct xobj *lower, struct xobj *protocol)
{
	return passive_open(self, lower) ? XK_OK : XK_NO_MEMORY;
}

/* An ETH session outlived ours. */
static int vnet_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct xobj *session = passive_open(self, lower);

	return session ? xPop(session, lower, m, NULL) : XK_ERROR;
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = XK_ARP ? vnet_open_by_arp : vnet_open,
	.open_enable = vnet_open_enable,
	.open_disable = vnet_open_disable,
	.open_done = vnet_open_done,
	.demux = vnet_demux,
};

int vnet_init(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();
	struct vnet *vnet = xk_allocate_zeroed(sizeof *vnet);

	if (!vnet || map_init(&vnet->active, 32, 1) || map_init(&vnet->passive, 8, 1))
		return XK_NO_MEMORY;
	self->state = vnet;
	self->ops = &protocol_ops;
	idle_start(&vnet->idle, &vnet->active, vnet_session_destroy);
	return neighbour_add((uint32_t)boot->peer_ip, boot->peer_mac) ? XK_ERROR : XK_OK;
}
