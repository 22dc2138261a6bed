/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/mpstream/mpstream.h"

#include "platform/platform.h"
#include "protocols/tcp/tcp.h"
#include "protocols/tcp/tcp_order.h"

struct mpstream mpstream;

static int set(struct xobj *session, int op, uint32_t number)
{
	return xControl(session, op, &number, sizeof number);
}

static struct mpstream_connection *connection_of(const struct xobj *session)
{
	for (int k = 0; k < XK_CPUS; k++)
		if (mpstream.connections[k].session == session)
			return &mpstream.connections[k];
	return NULL;
}

/* Lock, count, unlock: the paper's application. */
static int demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct mpstream_connection *c = connection_of(lower);
	int opens;

	if (!c)
		return XK_ERROR;
	if (XK_MP_TICKETS)
		tcp_order_wait(m);
	lock_acquire(&c->lock, XK_MP_LOCK);
	if (mpstream.stamped && *(const uint64_t *)(const void *)m->head != c->bytes)
		c->misplaced++;
	c->packets++;
	c->bytes += msg_bytes(m);
	c->eaten += msg_bytes(m);
	opens = c->eaten >= MPSTREAM_WINDOW / 2;
	if (opens)
		c->eaten = 0;
	lock_release(&c->lock, XK_MP_LOCK);
	if (XK_MP_TICKETS)
		tcp_order_done(m);
	if (opens)
		set(lower, TCP_SET_RECEIVE_SPACE, MPSTREAM_WINDOW);
	return XK_OK;
}

static int open_done(struct xobj *self, struct xobj *session, struct xobj *lower)
{
	struct mpstream_connection *c;

	lock_acquire(&mpstream.births, LOCK_MUTEX);
	c = connection_of(NULL);
	if (c)
		c->session = xDuplicate(session);
	lock_release(&mpstream.births, LOCK_MUTEX);
	if (!c)
		return XK_ERROR;
	set(session, TCP_SET_RECEIVE_SIZE, MPSTREAM_WINDOW);
	set(session, TCP_SET_RECEIVE_SPACE, MPSTREAM_WINDOW);
	return XK_OK;
}

static const struct xobj_ops ops = { XOBJ_DEFAULTS, .demux = demux, .open_done = open_done };

int mpstream_init(struct xobj *self)
{
	const uint16_t port = MPSTREAM_PORT;
	struct part parts[2];

	self->ops = &ops;
	mpstream.self = self;
	parts_init(parts);
	part_push(&parts[1], &port, sizeof port);
	return xOpenEnable(self, self, self->down[0], parts);
}

int mpstream_open(unsigned k, uint16_t port)
{
	const uint32_t host = (uint32_t)plat_boot()->peer_ip;
	struct part parts[2];
	struct xobj *session;

	parts_init(parts);
	part_push(&parts[0], &host, sizeof host);
	part_push(&parts[0], &port, sizeof port);
	session = xOpen(mpstream.self, mpstream.self, mpstream.self->down[0], parts);
	if (!session)
		return XK_ERROR;
	mpstream.connections[k].session = session;
	set(session, TCP_SET_SEND_SIZE, MPSTREAM_WINDOW);
	set(session, TCP_SET_NO_DELAY, 1);
	return XK_OK;
}

int mpstream_send(unsigned k, size_t bytes)
{
	struct msg m;
	int result;

	if (msg_init_bytes(&m, bytes))
		return XK_NO_MEMORY;
	result = xPush(mpstream.connections[k].session, &m);
	msg_destroy(&m);
	return result;
}
