/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/user.h"

#include <stdlib.h>
#include <string.h>

#include "platform/host/host.h"
#include "protocols/tcp/tcp.h"
#include "test/host/case.h"
#include "test/host/peer.h"
#include "test/host/users.h"
#include "test/host/wire.h"

struct user user;
static struct xobj *self_protocol;

static void restore_space(struct xobj *session)
{
	uint32_t all = UINT32_MAX;

	xControl(session, TCP_SET_RECEIVE_SPACE, &all, sizeof all);
}

/* A user that has given back its session, or never kept it, hears one notice of its end (tcp.h). A
 * push that waits in another thread keeps it, too. */
static void must_be_kept(const struct xobj *session)
{
	CHECK(session == user.session || user.opening || user.pushes_begun > user.pushes_done);
}

static int user_demux(struct xobj *, struct xobj *session, struct msg *m)
{
	must_be_kept(session);
	CHECK(user.bytes + msg_bytes(m) <= sizeof user.data);
	msg_copy_out(m, user.data + user.bytes);
	user.bytes += msg_bytes(m);
	user.messages++;
	if (!user.keep_space)
		restore_space(session);
	if (user.echo)
		user.push_result = xPush(session, m);
	if (user.close_in_demux && user.session) {
		user.session = NULL;
		xClose(session);
	}
	return XK_OK;
}

static int user_open_done(struct xobj *, struct xobj *session, struct xobj *)
{
	user.accepted++;
	if (user.refuse)
		return XK_ERROR;
	if (!user.session && !user.ignore) /* one is enough: others close when this returns */
		user.session = xDuplicate(session);
	return XK_OK;
}

static void user_close_done(struct xobj *, struct xobj *session, enum xk_close why)
{
	switch (why) {
	case XK_CLOSE_PEER:
		must_be_kept(session);
		user.peer_closed++;
		if (user.close_on_peer && user.session) {
			user.session = NULL;
			xClose(session);
		}
		break;
	case XK_CLOSE_DONE:
		user.done++;
		break;
	case XK_CLOSE_REFUSED:
		user.refused++;
		break;
	case XK_CLOSE_RESET:
		user.reset++;
		break;
	case XK_CLOSE_TIMED_OUT:
		user.timed_out++;
		break;
	}
}

USER_PROTOCOL(user, .open_done = user_open_done, .close_done = user_close_done, .demux = user_demux)

static void listen_by(int (*how)(struct xobj *, struct xobj *, struct xobj *, struct part *),
		      uint16_t port)
{
	struct part parts[2];

	parts_of(parts, NULL, NULL, &port);
	CHECK_EQUAL(how(self_protocol, self_protocol, self_protocol->down[0], parts), XK_OK);
}

void user_listen_on(uint16_t port)
{
	listen_by(xOpenEnable, port);
}

void user_listen(void)
{
	user_listen_on(KERNEL_PORT);
}

void user_unlisten(void)
{
	listen_by(xOpenDisable, KERNEL_PORT);
}

IN_KERNEL(user_open)
{
	static const uint16_t port = PEER_PORT;
	static const uint32_t host = PEER_IP;
	struct part parts[2];

	parts_of(parts, &host, &port, NULL);
	user.opening = 1;
	user.session = xOpen(self_protocol, self_protocol, self_protocol->down[0], parts);
	user.opening = 0;
	user.open_failed = user.session == NULL;
}

struct push {
	size_t bytes;
	uint8_t data[];
};

static void push_now(void *arg)
{
	struct push *p = arg;
	struct xobj *session = xDuplicate(user.session); /* another thread may close it */
	struct msg m;

	user.pushes_begun++;
	user.push_result = XK_NO_MEMORY;
	if (!msg_init_copy(&m, p->data, p->bytes)) {
		user.push_result = xPush(session, &m);
		msg_destroy(&m);
	}
	user.pushes_done++;
	xClose(session);
	free(p);
}

void user_push(const void *data, size_t bytes)
{
	struct push *p = malloc(sizeof *p + bytes);

	p->bytes = bytes;
	memcpy(p->data, data, bytes);
	host_call(push_now, p);
}

IN_KERNEL(user_close)
{
	struct xobj *session = user.session;

	user.session = NULL;
	xClose(session);
}

int user_control(int op, uint32_t value)
{
	return kernel_control(user.session, op, &value);
}

uint32_t user_state(void)
{
	uint32_t state = 0;

	CHECK(kernel_control(user.session, TCP_GET_STATE, &state) > 0);
	return state;
}
