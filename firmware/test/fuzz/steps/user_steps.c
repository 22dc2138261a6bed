/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "platform/host/host.h"
#include "protocols/icmp/icmp.h"
#include "protocols/tcp/tcp_private.h"
#include "test/fuzz/check.h"
#include "test/fuzz/steps/steps.h"
#include "test/host/peer.h"
#include "test/host/user.h"

static void ping_now(void *arg)
{
	struct icmp_ping ask = { .host = 0x0a000002, .bytes = *(const uint8_t *)arg * 4 };
	struct xobj *icmp = kernel_object("icmp");

	if (icmp) /* the production stack has none */
		xControl(icmp, ICMP_PING, &ask, sizeof ask);
}

static void listen_or_not(void)
{
	static int listens = 1;

	host_fail_allocations(0, 0); /* the script's own calls must succeed */
	if (listens)
		user_unlisten();
	else
		user_listen();
	listens = !listens;
}

/* Acts that need a connection. */
static void with_session(const uint8_t *b)
{
	static const uint8_t text[4096] = "what the user says";
	const struct {
		int op;
		uint32_t value;
	} controls[14] = {
		[3] = { TCP_SHUTDOWN, 0 },
		[4] = { TCP_SET_RECEIVE_SPACE, (uint32_t)b[2] * 64 },
		[6] = { TCP_SET_NO_DELAY, b[2] & 1 },
		[7] = { TCP_ABORT, 0 },
		[10] = { TCP_SET_KEEPALIVE, b[2] },
		[13] = { b[3] & 1 ? TCP_SET_SEND_SIZE : TCP_SET_RECEIVE_SIZE,
			 (uint32_t)b[2] * 256 + 1 },
	}, *c = &controls[b[1] % 14];

	if (b[1] % 14 < 2)
		user_push(text, 1 + (size_t)b[2] * 16 % sizeof text);
	else if (b[1] % 14 == 2)
		user_close();
	else if (c->op)
		user_control(c->op, c->value);
}

void user_step(const uint8_t *b)
{
	switch (b[1] % 14) {
	case 5:
		user.keep_space = b[2] & 1;
		break;
	case 8:
		if (!user.session && !user.opening)
			user_open();
		break;
	case 9:
		user.close_on_peer = b[2] & 1;
		user.close_in_demux = b[2] >> 1 & 1;
		user.refuse = b[2] >> 2 & 1;
		user.echo = 0;
		break;
	case 11:
		host_call(ping_now, (void *)(uintptr_t)(b + 2));
		break;
	case 12:
		listen_or_not();
		break;
	default:
		if (user.session)
			with_session(b);
		break;
	}
}

static int abort_if_probing(const uint64_t *, void *value, void *)
{
	struct xobj *session = xDuplicate(value);
	const struct tcp *t = session->state;

	if (t->timer[TCP_PERSIST] && !t->queue.bytes)
		fuzz_fail("a closed window is probed for nothing");
	if (t->timer[TCP_PERSIST] && t->user_closed)
		fuzz_fail("a closed window is probed for a user who has gone");
	if (t->timer[TCP_PERSIST])
		xControl(session, TCP_ABORT, NULL, 0);
	xClose(session);
	return MAP_CONTINUE;
}

static void abort_probing(void *arg)
{
	struct tcp_protocol *tcp = kernel_object("tcp")->state;

	map_for_each(&tcp->active, abort_if_probing, arg);
}

void user_ends_probing(void)
{
	host_call(abort_probing, NULL);
}
