/* SPDX-License-Identifier: BSD-2-Clause */
/* TCPTEST, the paper's ping-pong: one byte to and fro over one connection, port 2001.
 *
 * The client opens, does `warmup` and then `round_trips` exchanges (boot block) and one more, so
 * that the last measured invocation of the path is like the others, and closes; the server sends
 * back what comes and closes when the client has. Each ends its machine with 0 when the connection
 * has been closed both ways, with 1 and a message when anything went wrong.
 * With XK_STREAM the client pushes so many full segments, and nobody sends any back. */
#pragma once

#include "xkernel/upi.h"

enum {
	TCPTEST_PORT = 2001,
	TCPTEST_CLIENT_PORT = 2002,
	TCPTEST_BYTE = 0x42,
	TCPTEST_SEGMENT = 1460, /* with XK_STREAM */
	TCPTEST_START_US =
	    5000, /* by then the server listens, also one that copies functions first */
	TCPTEST_PAUSE_US = 1000,
	TCPTEST_LINGER_US = 1000, /* so that the last ACK leaves before we do */
	TCPTEST_WATCH_US = 30000000,
	TCPTEST_WATCHES = 3, /* without progress: 90 s */
};

int tcptest_init(struct xobj *self);
