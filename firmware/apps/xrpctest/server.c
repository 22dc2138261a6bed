/* SPDX-License-Identifier: BSD-2-Clause */
/* The server: the empty reply is there already. */
#include "apps/xrpctest/xrpctest_private.h"
#include "platform/marker.h"

static int server_call_demux(struct xobj *self, struct xobj *session, struct msg *m,
			     struct msg *reply)
{
	MARK(MARK_INVOCATION, WINDOW_PATH);
	if (PREDICT_FALSE(msg_bytes(m) != XRPCTEST_BYTES))
		return XK_ERROR;
	xrpctest.calls++;
	if (PREDICT_FALSE(xrpctest.calls == xrpctest.total))
		event_schedule(&xrpctest.finish, xrpctest_finish, NULL, XRPCTEST_LINGER_US);
	return XK_OK;
}

const struct xobj_ops xrpctest_server_ops = {
	XOBJ_DEFAULTS,
	.call_demux = server_call_demux,
};
