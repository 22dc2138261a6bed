/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/mptest/mptest.h"

#include "platform/platform.h"

struct mptest mptest;

/* Lock, count, unlock: the paper's application. */
static int demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	lock_acquire(&mptest.lock, XK_MP_LOCK);
	mptest.packets++;
	mptest.bytes += msg_bytes(m);
	lock_release(&mptest.lock, XK_MP_LOCK);
	return XK_OK;
}

static const struct xobj_ops ops = { XOBJ_DEFAULTS, .demux = demux };

int mptest_init(struct xobj *self)
{
	const uint16_t port = MPTEST_PORT;
	struct part parts[2];

	self->ops = &ops;
	mptest.self = self;
	parts_init(parts);
	part_push(&parts[1], &port, sizeof port);
	return xOpenEnable(self, self, self->down[0], parts);
}

struct xobj *mptest_open(uint16_t port)
{
	const uint32_t host = (uint32_t)plat_boot()->peer_ip;
	struct part parts[2];

	parts_init(parts);
	part_push(&parts[0], &host, sizeof host);
	part_push(&parts[0], &port, sizeof port);
	return xOpen(mptest.self, mptest.self, mptest.self->down[0], parts);
}

int mptest_send(struct xobj *session, size_t bytes)
{
	struct msg m;
	int result;

	if (msg_init_bytes(&m, bytes))
		return XK_NO_MEMORY;
	result = xPush(session, &m);
	msg_destroy(&m);
	return result;
}
