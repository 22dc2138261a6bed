/* SPDX-License-Identifier: BSD-2-Clause */
/* In XRPCTEST's place, as a server whose answers are in their turn: none, a failure, data, data and
 * a failure, one that takes 50 ms, and a piece of a message without bytes. Or as a client that
 * calls for ever, also after a failure. */
#include "platform/platform.h"
#include "test/host/users.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/semaphore.h"
#include "xkernel/upi.h"

enum { ODD_ANSWERS = 6, ODD_LATE_US = 50000, ODD_START_US = 5000 };

int xrpctest_init(struct xobj *self);

static struct xobj *self_protocol;
static uint64_t calls;
static struct event late, start;
static struct semaphore woken;

static void wake(void *)
{
	sem_signal(&woken);
}

static int serve(struct xobj *, struct xobj *, struct msg *, struct msg *reply)
{
	uint64_t turn = calls++ % ODD_ANSWERS;

	if (turn == 2 || turn == 3)
		msg_init_copy(reply, "reply", 5);
	if (turn == 4) {
		event_schedule(&late, wake, NULL, ODD_LATE_US);
		if (sem_wait(&woken))
			return XK_NO_MEMORY;
	}
	if (turn == 5)
		msg_init_bytes(reply, 0);
	return turn == 1 || turn == 3 ? XK_ERROR : XK_OK;
}

static void call_for_ever(void *)
{
	const uint32_t host = (uint32_t)plat_boot()->peer_ip;
	struct part parts[2];
	struct msg request = { 0 }, reply;

	parts_of(parts, &host, NULL, NULL);
	struct xobj *session = xOpen(self_protocol, self_protocol, self_protocol->down[0], parts);
	if (!session)
		console_fail("odd", "cannot open channels");
	for (;;) {
		msg_init_empty(&reply);
		if (msg_again(&request) || xCall(session, &request, &reply) != XK_OK) {
			event_schedule(&late, wake, NULL, ODD_START_US);
			sem_wait(&woken);
		}
		msg_destroy(&reply);
	}
}

static const struct xobj_ops ops = { XOBJ_DEFAULTS, .call_demux = serve };

int xrpctest_init(struct xobj *self)
{
	self->ops = &ops;
	sem_init(&woken, 0);
	self_protocol = self;
	if (plat_boot()->role == 1)
		return xOpenEnable(self, self, self->down[0], NULL);
	event_schedule(&start, call_for_ever, NULL, ODD_START_US);
	return XK_OK;
}
