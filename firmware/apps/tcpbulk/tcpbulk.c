/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/tcpbulk/tcpbulk.h"

#include "platform/platform.h"
#include "protocols/tcp/tcp.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"

static struct {
	struct xobj *self, *session;
	struct event start, finish;
	uint64_t received;
	uint8_t data[TCPBULK_SEGMENT];
} bulk;

static uint8_t byte_at(uint64_t offset)
{
	return (uint8_t)(offset % 251);
}

static void finish(void *arg)
{
	console_text("tcpbulk: ");
	console_number(bulk.received);
	console_text(" bytes received\n");
	plat_exit(0);
}

static int check_piece(const uint8_t *piece, size_t bytes, void *arg)
{
	for (size_t i = 0; i < bytes; i++)
		if (piece[i] != byte_at(bulk.received + i))
			console_fail("tcpbulk", "another byte than was sent");
	bulk.received += bytes;
	return 0;
}

static int server_demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	uint32_t all = UINT32_MAX;

	msg_for_each(m, check_piece, NULL);
	xControl(session, TCP_SET_RECEIVE_SPACE, &all, sizeof all);
	return XK_OK;
}

static int server_open_done(struct xobj *self, struct xobj *session, struct xobj *lower)
{
	uint32_t bytes = BULK_BUFFER;

	bulk.session = xDuplicate(session);
	xControl(session, TCP_SET_RECEIVE_SIZE, &bytes, sizeof bytes);
	xControl(session, TCP_SET_RECEIVE_SPACE, &bytes, sizeof bytes);
	return XK_OK;
}

static void close_done(struct xobj *self, struct xobj *session, enum xk_close why)
{
	if (why == XK_CLOSE_PEER && bulk.session == session)
		xClose(session); /* the server's */
	else if (why == XK_CLOSE_DONE)
		event_schedule(&bulk.finish, finish, NULL, TCPBULK_LINGER_US);
	else
		console_fail("tcpbulk", "the connection failed");
}

static const struct xobj_ops ops = {
	XOBJ_DEFAULTS,
	.demux = server_demux,
	.open_done = server_open_done,
	.close_done = close_done,
};

static void push_one(uint64_t number)
{
	struct msg m;

	for (size_t i = 0; i < sizeof bulk.data; i++)
		bulk.data[i] = byte_at(number * sizeof bulk.data + i);
	if (msg_init_copy(&m, bulk.data, sizeof bulk.data))
		console_fail("tcpbulk", "no memory");
	if (xPush(bulk.session, &m) < 0)
		console_fail("tcpbulk", "push failed");
	msg_destroy(&m);
}

static void client(void *arg)
{
	static const uint16_t port = TCPBULK_PORT;
	const uint32_t peer = (uint32_t)plat_boot()->peer_ip;
	uint32_t bytes = BULK_BUFFER;
	struct part parts[2];

	parts_init(parts);
	part_push(&parts[0], &peer, sizeof peer);
	part_push(&parts[0], &port, sizeof port);
	bulk.session = xOpen(bulk.self, bulk.self, bulk.self->down[0], parts);
	if (!bulk.session)
		console_fail("tcpbulk", "cannot open a connection to the server");
	xControl(bulk.session, TCP_SET_SEND_SIZE, &bytes, sizeof bytes);
	for (uint64_t i = 0; i < plat_boot()->round_trips; i++)
		push_one(i);
	xClose(bulk.session);
}

int tcpbulk_init(struct xobj *self)
{
	static const uint16_t port = TCPBULK_PORT;
	struct part parts[2];

	bulk.self = self;
	self->ops = &ops;
	if (plat_boot()->role == 0) {
		event_schedule(&bulk.start, client, NULL, TCPBULK_START_US);
		return XK_OK;
	}
	parts_init(parts);
	part_push(&parts[1], &port, sizeof port);
	return xOpenEnable(self, self, self->down[0], parts);
}
