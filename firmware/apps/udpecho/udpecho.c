/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/udpecho/udpecho.h"

#include "protocols/udp/udp.h"

struct udpecho_counts udpecho_counts;

enum { ECHO_PORT = 7, DISCARD_PORT = 9 };

static struct xobj echo, discard; /* receivers: a session knows its service by `up` */

static int echo_demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	uint32_t port = 0;

	xControl(session, UDP_GET_PEER_PORT, &port, sizeof port);
	if (port == ECHO_PORT) {
		udpecho_counts.from_a_server++;
		return XK_OK;
	}
	udpecho_counts.echoes++;
	if (xPush(session, m) < 0)
		udpecho_counts.push_failed++;
	return XK_OK;
}

static int discard_demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	udpecho_counts.discarded++;
	return XK_OK;
}

static const struct xobj_ops echo_ops = { XOBJ_DEFAULTS, .demux = echo_demux };
static const struct xobj_ops discard_ops = { XOBJ_DEFAULTS, .demux = discard_demux };

static int enable(struct xobj *self, struct xobj *receiver, const struct xobj_ops *ops,
		  uint16_t port)
{
	struct part parts[2];

	receiver->ops = ops;
	receiver->protocol = receiver;
	receiver->name = self->name;
	parts_init(parts);
	part_push(&parts[1], &port, sizeof port);
	return xOpenEnable(receiver, self, self->down[0], parts);
}

int udpecho_init(struct xobj *self)
{
	int result = enable(self, &echo, &echo_ops, ECHO_PORT);

	return result < 0 ? result : enable(self, &discard, &discard_ops, DISCARD_PORT);
}
