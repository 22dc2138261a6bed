/* SPDX-License-Identifier: BSD-2-Clause */
/* The server sends the same message back. */
#include "apps/tcptest/tcptest_private.h"
#include "platform/marker.h"
#include "protocols/tcp/tcp.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"

/* With XK_STREAM; TCP cuts the stream as it likes. */
static int take(struct xobj *session, struct msg *m)
{
	static uint64_t bytes;

	bytes += msg_bytes(m);
	tcptest.exchanges = bytes / TCPTEST_SEGMENT;
	tcptest_restore_space(session);
	return XK_OK;
}

static int server_demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	MARK(MARK_INVOCATION, WINDOW_PATH);
	if (XK_STREAM)
		return take(session, m);
	tcptest_check(m);
	tcptest_restore_space(session);
	tcptest.exchanges++;
	if (PREDICT_FALSE(xPush(session, m) < 0))
		console_fail("tcptest", "push failed");
	return XK_OK;
}

static struct event pause;

/* The sender of XK_ONE_WAY. */
static void stream(void *session)
{
	struct msg m;

	if (tcptest.exchanges == tcptest.total)
		return;
	MARK(MARK_INVOCATION, WINDOW_PATH);
	tcptest.exchanges++;
	msg_share_here(&m, &tcptest.payload);
	if (PREDICT_FALSE(xPush(session, &m) < 0))
		console_fail("tcptest", "push failed");
	msg_end(&m);
	event_schedule(&pause, stream, session, TCPTEST_PAUSE_US);
}

static void stream_start(struct xobj *session)
{
	static const uint8_t byte = TCPTEST_BYTE;
	uint32_t one = 1;

	if (xControl(session, TCP_SET_NO_DELAY, &one, sizeof one) < 0 ||
	    msg_init_copy(&tcptest.payload, &byte, sizeof byte))
		console_fail("tcptest", "cannot stream");
	event_schedule(&pause, stream, session, TCPTEST_PAUSE_US); /* the peer's window is known */
}

static int server_open_done(struct xobj *self, struct xobj *session, struct xobj *tcp)
{
	if (XK_CONNECTIONS > 1 ? !tcptest_accepts() : tcptest.session != NULL)
		return XK_ERROR; /* one client at a time */
	tcptest.session = xDuplicate(session);
	if (XK_ONE_WAY)
		stream_start(session);
	return XK_OK;
}

const struct xobj_ops tcptest_server_ops = {
	XOBJ_DEFAULTS,
	.open_done = server_open_done,
	.demux = server_demux,
	.close_done = tcptest_close_done,
};
