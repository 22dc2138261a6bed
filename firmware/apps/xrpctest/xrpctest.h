/* SPDX-License-Identifier: BSD-2-Clause */
/* XRPCTEST, the paper's ping-pong for the RPC stack: calls without data, in a loop.
 *
 * The client makes `warmup` and then `round_trips` calls (boot block) and one more, so that the
 * last measured invocation of the path is like the others; each machine ends with 0 when its part
 * is done, with 1 and a message when anything went wrong. The server ends a moment after the last
 * call, so the client does not mind if that one's reply is lost. */
#pragma once

#include "xkernel/upi.h"

enum {
	XRPCTEST_BYTES = XK_STREAM ? 4096 : 0, /* of a request's own */
	XRPCTEST_START_US =
	    5000, /* by then the server listens, also one that copies functions first */
	XRPCTEST_LINGER_US = 1000,  /* so that the last reply leaves before we do */
	XRPCTEST_CLOSE_US = 150000, /* by then CHAN has freed what is closed */
	XRPCTEST_WATCH_US = 30000000,
	XRPCTEST_WATCHES = 10, /* without progress: 300 s, longer than any call takes */
};

int xrpctest_init(struct xobj *self);
