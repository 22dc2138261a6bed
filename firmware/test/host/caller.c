/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/caller.h"

#include <stdlib.h>
#include <string.h>

#include "platform/host/host.h"
#include "test/host/case.h"
#include "test/host/peer.h"
#include "test/host/rpc_peer.h"
#include "test/host/users.h"
#include "test/host/wire.h"
#include "xkernel/thread/semaphore.h"
#include "xkernel/upi.h"

struct caller caller;
static struct xobj *self_protocol, *open_session;
static struct semaphore hold;

int xrpctest_init(struct xobj *self);

static int copy_bytes(const struct msg *m, uint8_t *to, size_t *bytes)
{
	*bytes = msg_bytes(m);
	CHECK(*bytes <= CALLER_BYTES);
	msg_copy_out(m, to);
	return XK_OK;
}

static int server_call_demux(struct xobj *, struct xobj *, struct msg *m, struct msg *reply)
{
	caller.executed++;
	caller.running++;
	copy_bytes(m, caller.request, &caller.request_bytes);
	int no_memory = caller.mode == CALLER_SLOW && sem_wait(&hold);
	caller.running--;
	if (no_memory || caller.mode == CALLER_FAIL)
		return XK_ERROR;
	if (caller.mode != CALLER_EMPTY)
		msg_share(reply, m);
	return XK_OK;
}

static const struct xobj_ops ops = {
	XOBJ_DEFAULTS,
	.call_demux = server_call_demux,
};

int xrpctest_init(struct xobj *self)
{
	self->ops = &ops;
	self_protocol = self;
	sem_init(&hold, 0);
	return XK_OK;
}

static void open_now(void *)
{
	static const uint32_t host = PEER_IP;
	struct part parts[2];

	parts_of(parts, &host, NULL, NULL);
	open_session = xOpen(self_protocol, self_protocol, self_protocol->down[0], parts);
}

void caller_open(void)
{
	host_call(open_now, NULL);
	CHECK(open_session != NULL);
}

IN_KERNEL(caller_close)
{
	xClose(open_session);
	open_session = NULL;
}

struct call {
	int number;
	size_t bytes;
	uint8_t data[];
};

static void call_now(void *arg)
{
	struct call *c = arg;
	struct caller_call *note = &caller.call[c->number];
	struct msg request, reply;

	msg_init_empty(&reply);
	note->result = XK_NO_MEMORY;
	if (msg_init_copy(&request, c->data, c->bytes) == 0)
		note->result = xCall(open_session, &request, &reply);
	if (caller.ends)
		caller.ends();
	copy_bytes(&reply, note->reply, &note->reply_bytes);
	note->done = 1;
	msg_destroy(&reply);
	msg_destroy(&request);
	free(c);
}

int caller_call(const void *data, size_t bytes)
{
	struct call *c = malloc(sizeof *c + bytes);

	CHECK(caller.calls < CALLER_MAX);
	c->number = caller.calls++;
	caller.call[c->number].done = 0;
	c->bytes = bytes;
	memcpy(c->data, data, bytes);
	host_call(call_now, c);
	return caller.calls - 1;
}

int caller_control_now(int op, uint32_t value)
{
	return xControl(open_session, op, &value, sizeof value);
}

void call_ends(int call, int result)
{
	CHECK(caller.call[call].done);
	CHECK_EQUAL(caller.call[call].result, result);
}

int caller_control(int op, uint32_t value)
{
	return kernel_control(open_session, op, &value);
}

static void serve_now(void *)
{
	CHECK_EQUAL(xOpenEnable(self_protocol, self_protocol, self_protocol->down[0], NULL), XK_OK);
}

void caller_serve(enum caller_mode mode)
{
	caller.mode = mode;
	host_call(serve_now, NULL);
}

IN_KERNEL(caller_ends_service)
{
	CHECK_EQUAL(xOpenDisable(self_protocol, self_protocol, self_protocol->down[0], NULL),
		    XK_OK);
}

IN_KERNEL(caller_let_go)
{
	sem_signal(&hold);
}

void rpc_serves(enum caller_mode mode)
{
	rpc_start();
	caller_serve(mode);
}

void rpc_calls(void)
{
	rpc_start();
	caller_open();
}
