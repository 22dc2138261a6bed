/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls and serves in the storm, in XRPCTEST's place: many threads, random sizes, some slow. */
#include "test/host/programs/storm.h"

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "protocols/blast/blast_private.h"
#include "protocols/vchan/vchan.h"
#include "test/host/users.h"
#include "xkernel/console.h"

const struct storm_hooks *storm_hooks;

static struct xobj *self_protocol, *session;
static struct event events[STORM_THREADS];

int xrpctest_init(struct xobj *self);

/* The bytes of a request and its reply: number, then bytes that depend on it and the place. */
static void fill(uint8_t *to, size_t bytes, uint64_t call, uint8_t kind)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(call * 31 + i * 7 + (i >> 8) + kind);
	memcpy(to, &call, sizeof call);
}

static size_t reply_bytes(uint64_t call)
{
	uint64_t hash = call * 0x9e3779b97f4a7c15;

	return 8 + (hash >> 60 ? hash >> 40 & 0xff : hash >> 40 & 0x3fff);
}

static size_t request_bytes(void)
{
	uint64_t random = storm_hooks->random();

	switch (random & 15) {
	case 0:
		return 8 + (random >> 8) % (STORM_MAX_BYTES - 8);
	case 1:
	case 2:
		return 8 + (random >> 8) % 4000;
	default:
		return 8 + (random >> 8) % 200;
	}
}

static int is_right(const struct msg *m, uint64_t call, size_t bytes, uint8_t kind)
{
	static uint8_t got[STORM_MAX_BYTES + 64], expected[STORM_MAX_BYTES + 64];

	if (msg_bytes(m) != bytes || bytes > sizeof got)
		return 0;
	msg_copy_out(m, got);
	fill(expected, bytes, call, kind);
	return !memcmp(got, expected, bytes);
}

static void call_once(uint64_t call)
{
	struct msg request, reply;
	size_t bytes = request_bytes();

	if (msg_init_bytes(&request, bytes))
		console_fail("storm", "no memory");
	fill(request.head, bytes, call, 'q');
	msg_init_empty(&reply);
	int result = xCall(session, &request, &reply);
	int right = result == XK_OK && is_right(&reply, call, reply_bytes(call), 'r');
	storm_hooks->done(call, result, right);
	msg_destroy(&reply);
	msg_destroy(&request);
}

static void client(void *)
{
	uint64_t call;

	while ((call = storm_hooks->next()))
		call_once(call);
}

static void start(void *)
{
	const uint32_t host = (uint32_t)plat_boot()->peer_ip;
	uint32_t channels = STORM_CHANNELS;
	struct part parts[2];

	parts_of(parts, &host, NULL, NULL);
	session = xOpen(self_protocol, self_protocol, self_protocol->down[0], parts);
	if (!session || xControl(session, VCHAN_SET_CHANNELS, &channels, sizeof channels) < 0)
		console_fail("storm", "cannot open channels");
	for (int i = 1; i < STORM_THREADS; i++)
		event_schedule(&events[i], client, NULL, 0);
	client(NULL);
}

static int serve(struct xobj *, struct xobj *, struct msg *m, struct msg *reply)
{
	uint64_t call = 0, random = storm_hooks->random();

	if (msg_bytes(m) >= sizeof call) {
		uint8_t *copy = malloc(msg_bytes(m));

		msg_copy_out(m, copy);
		memcpy(&call, copy, sizeof call);
		free(copy);
	}
	if (!is_right(m, call, msg_bytes(m), 'q'))
		call = 0; /* the storm knows no such call */
	storm_hooks->executed(call);
	if (random % 100 < storm_hooks->slow_percent)
		blast_pause(1 + (random >> 8) % 12000000);
	if (msg_init_bytes(reply, reply_bytes(call)))
		return XK_NO_MEMORY;
	fill(reply->head, reply_bytes(call), call, 'r');
	return XK_OK;
}

static const struct xobj_ops ops = {
	XOBJ_DEFAULTS,
	.call_demux = serve,
};

int xrpctest_init(struct xobj *self)
{
	self->ops = &ops;
	self_protocol = self;
	if (plat_boot()->role == 1)
		return xOpenEnable(self, self, self->down[0], NULL);
	event_schedule(&events[0], start, NULL, 1000);
	return XK_OK;
}
