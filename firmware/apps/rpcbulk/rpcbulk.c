/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/rpcbulk/rpcbulk.h"

#include "platform/platform.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"

static struct {
	struct xobj *self;
	struct event start, finish;
	uint64_t calls, checked;
	uint8_t data[BULK_BYTES];
} bulk;

static uint8_t byte_at(uint64_t offset)
{
	return (uint8_t)(offset % 251);
}

static void finish(void *arg)
{
	console_text("rpcbulk: ");
	console_number(bulk.calls);
	console_text(" calls\n");
	plat_exit(0);
}

static int check_piece(const uint8_t *piece, size_t bytes, void *arg)
{
	for (size_t i = 0; i < bytes; i++)
		if (piece[i] != byte_at(bulk.checked + i))
			console_fail("rpcbulk", "another byte than was sent");
	bulk.checked += bytes;
	return 0;
}

static int server_call_demux(struct xobj *self, struct xobj *session, struct msg *m,
			     struct msg *reply)
{
	bulk.checked = 0;
	msg_for_each(m, check_piece, NULL);
	if (bulk.checked != BULK_BYTES)
		console_fail("rpcbulk", "another length than was sent");
	bulk.calls++;
	if (bulk.calls == plat_boot()->round_trips)
		event_schedule(&bulk.finish, finish, NULL, RPCBULK_LINGER_US);
	return XK_OK;
}

static const struct xobj_ops ops = { XOBJ_DEFAULTS, .call_demux = server_call_demux };

static void call(struct xobj *session)
{
	struct msg request, reply;

	if (msg_init_copy(&request, bulk.data, sizeof bulk.data))
		console_fail("rpcbulk", "no memory");
	msg_init_empty(&reply);
	if (xCall(session, &request, &reply) < 0)
		console_fail("rpcbulk", "call failed");
	msg_destroy(&reply);
	msg_destroy(&request);
}

static void client(void *arg)
{
	const uint32_t peer = (uint32_t)plat_boot()->peer_ip;
	struct xobj *session;
	struct part parts[2];

	for (size_t i = 0; i < sizeof bulk.data; i++)
		bulk.data[i] = byte_at(i);
	parts_init(parts);
	part_push(&parts[0], &peer, sizeof peer);
	session = xOpen(bulk.self, bulk.self, bulk.self->down[0], parts);
	if (!session)
		console_fail("rpcbulk", "cannot open channels to the server");
	while (bulk.calls < plat_boot()->round_trips) {
		call(session);
		bulk.calls++;
	}
	finish(NULL);
}

int rpcbulk_init(struct xobj *self)
{
	bulk.self = self;
	self->ops = &ops;
	if (plat_boot()->role == 0) {
		event_schedule(&bulk.start, client, NULL, RPCBULK_START_US);
		return XK_OK;
	}
	return xOpenEnable(self, self, self->down[0], NULL);
}
