/* SPDX-License-Identifier: BSD-2-Clause */
/* The server sends the same message back. */
#include "apps/tcptest/tcptest_private.h"
#include "platform/marker.h"
#include "xkernel/console.h"

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

static int server_open_done(struct xobj *self, struct xobj *session, struct xobj *tcp)
{
	if (tcptest.session)
		return XK_ERROR; /* one client at a time */
	tcptest.session = xDuplicate(session);
	return XK_OK;
}

const struct xobj_ops tcptest_server_ops = {
	XOBJ_DEFAULTS,
	.open_done = server_open_done,
	.demux = server_demux,
	.close_done = tcptest_close_done,
};
