/* SPDX-License-Identifier: BSD-2-Clause */
/* TCPTEST: start, supervision and end; client.c and server.c are the exchange itself. */
#include "protocols/tcp/tcp.h"
#include "apps/tcptest/tcptest_private.h"
#include "platform/platform.h"
#include "xkernel/console.h"
#include "xkernel/own_code/own_code.h"

struct tcptest tcptest;

static void finish(void *arg)
{
	console_text("tcptest: ");
	console_number(tcptest.exchanges);
	console_text(" exchanges, connection closed\n");
	if (XK_FAST_OWN)
		own_code_report();
	plat_exit(0);
}

static void watch(void *arg)
{
	tcptest.quiet = tcptest.exchanges == tcptest.watched ? tcptest.quiet + 1 : 0;
	tcptest.watched = tcptest.exchanges;
	if (tcptest.quiet >= TCPTEST_WATCHES)
		console_fail("tcptest", "no progress in 90 s");
	event_schedule(&tcptest.watch, watch, NULL, TCPTEST_WATCH_US);
}

void tcptest_close_done(struct xobj *self, struct xobj *session, enum xk_close why)
{
	if (XK_CONNECTIONS > 1 ? !tcptest_ends(session, why) : session != tcptest.session)
		return;
	switch (why) {
	case XK_CLOSE_PEER:
		/* The client has closed first, by itself: this is the server. */
		if (!tcptest.closed) {
			tcptest.closed = 1;
			xClose(session);
		}
		break;
	case XK_CLOSE_DONE:
		if (!tcptest.closed || tcptest.exchanges < tcptest.total)
			console_fail("tcptest", "closed too early");
		event_schedule(&tcptest.finish, finish, NULL, TCPTEST_LINGER_US);
		break;
	case XK_CLOSE_REFUSED:
		console_fail("tcptest", "connection refused");
	case XK_CLOSE_RESET:
		console_fail("tcptest", "connection reset");
	case XK_CLOSE_TIMED_OUT:
		console_fail("tcptest", "connection timed out");
	}
}

void tcptest_check(const struct msg *m)
{
	if (PREDICT_FALSE(msg_bytes(m) != 1))
		console_fail("tcptest", "not one byte");
	if (PREDICT_FALSE(msg_byte(m) != TCPTEST_BYTE))
		console_fail("tcptest", "wrong byte");
}

void tcptest_restore_space(struct xobj *session)
{
	static uint32_t all = UINT32_MAX; /* TCP cuts it to its size */

	xControl(session, TCP_SET_RECEIVE_SPACE, &all, sizeof all);
}

int tcptest_init(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();
	static const uint8_t byte = TCPTEST_BYTE, segment[TCPTEST_SEGMENT];
	static const uint16_t port = TCPTEST_PORT;
	struct part parts[2];

	tcptest.self = self;
	tcptest.warmup = boot->warmup;
	tcptest.measured = boot->warmup + boot->round_trips;
	tcptest.total = tcptest.measured ? tcptest.measured + 1 : 0;
	event_schedule(&tcptest.watch, watch, NULL, TCPTEST_WATCH_US);
	if (boot->role == 0) {
		self->ops = &tcptest_client_ops;
		if (XK_STREAM ? msg_init_copy(&tcptest.payload, segment, sizeof segment)
			      : msg_init_copy(&tcptest.payload, &byte, sizeof byte))
			return XK_NO_MEMORY;
		event_schedule(&tcptest.start, tcptest_client_start, NULL, TCPTEST_START_US);
		return XK_OK;
	}
	self->ops = &tcptest_server_ops;
	parts_init(parts);
	part_push(&parts[1], &port, sizeof port);
	return xOpenEnable(self, self, self->down[0], parts);
}
