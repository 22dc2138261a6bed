/* SPDX-License-Identifier: BSD-2-Clause */
/* A server in TCPTEST's place that answers every fourth message alone. */
#include "protocols/tcp/tcp.h"
#include "xkernel/upi.h"

enum { PORT = 2001, ANSWERED = 4 };

int tcptest_init(struct xobj *self);

static uint64_t heard;

static int silent_demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	static uint32_t all = UINT32_MAX; /* TCP cuts it to its size */

	xControl(session, TCP_SET_RECEIVE_SPACE, &all, sizeof all);
	return ++heard % ANSWERED ? XK_OK : xPush(session, m);
}

static int silent_open_done(struct xobj *self, struct xobj *session, struct xobj *tcp)
{
	xDuplicate(session);
	return XK_OK;
}

static void silent_close_done(struct xobj *self, struct xobj *session, enum xk_close why)
{
	xClose(session);
}

static const struct xobj_ops silent_ops = {
	XOBJ_DEFAULTS,
	.demux = silent_demux,
	.open_done = silent_open_done,
	.close_done = silent_close_done,
};

int tcptest_init(struct xobj *self)
{
	static const uint16_t port = PORT;
	struct part parts[2];

	self->ops = &silent_ops;
	parts_init(parts);
	part_push(&parts[1], &port, sizeof port);
	return xOpenEnable(self, self, self->down[0], parts);
}
