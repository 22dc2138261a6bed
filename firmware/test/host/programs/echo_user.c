/* SPDX-License-Identifier: BSD-2-Clause */
/* In XRPCTEST's place, against the peer in Python: as server (role 1) every request comes back as
 * its reply; as client `round_trips` calls of growing size must, then the machine ends with 0. */
#include <string.h>

#include "platform/platform.h"
#include "test/host/users.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"
#include "xkernel/upi.h"

enum { ECHO_MAX = 64 * 1456 - 36, ECHO_START_US = 5000000 };

static struct xobj *self_protocol;
static struct event start_event;
static uint8_t bytes_sent[ECHO_MAX], bytes_back[ECHO_MAX];

int xrpctest_init(struct xobj *self);

/* Small ones, those around a fragment's end, large ones; the last is the largest there is. */
static size_t size_of(uint64_t n, uint64_t all)
{
	static const size_t edges[] = { 0, 1, 3, 100, 1419, 1420, 1421, 2876, 2877, 4000 };

	return n + 1 == all ? ECHO_MAX : edges[n % 10] + n / 10 * 500;
}

static void call_and_compare(struct xobj *session, size_t bytes)
{
	struct msg request, reply;

	if (msg_init_copy(&request, bytes_sent, bytes))
		console_fail("echo", "no memory");
	msg_init_empty(&reply);
	if (xCall(session, &request, &reply) != XK_OK)
		console_fail("echo", "call failed");
	if (msg_bytes(&reply) != bytes)
		console_fail("echo", "another size came back");
	msg_copy_out(&reply, bytes_back);
	if (memcmp(bytes_back, bytes_sent, bytes))
		console_fail("echo", "other bytes came back");
	msg_destroy(&reply);
	msg_destroy(&request);
}

static void client(void *)
{
	const uint32_t host = (uint32_t)plat_boot()->peer_ip;
	uint64_t all = plat_boot()->round_trips;
	struct part parts[2];

	for (size_t i = 0; i < ECHO_MAX; i++)
		bytes_sent[i] = (uint8_t)(i * 11 + (i >> 7));
	parts_of(parts, &host, NULL, NULL);
	struct xobj *session = xOpen(self_protocol, self_protocol, self_protocol->down[0], parts);
	if (!session)
		console_fail("echo", "cannot open channels");
	for (uint64_t n = 0; n < all; n++)
		call_and_compare(session, size_of(n, all));
	console_text("echo: all came back\n");
	plat_exit(0);
}

static int serve(struct xobj *, struct xobj *, struct msg *m, struct msg *reply)
{
	msg_share(reply, m);
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
	event_schedule(&start_event, client, NULL, ECHO_START_US);
	return XK_OK;
}
