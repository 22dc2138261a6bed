/* SPDX-License-Identifier: BSD-2-Clause */
/* OSDI'94's test program above TCP: each processor's loop sends messages, or counts what came up.
 * It keeps the receive window open. */
#pragma once

#include "xkernel/lock/lock.h"
#include "xkernel/upi.h"

enum { MPSTREAM_PORT = 5001, MPSTREAM_WINDOW = 65535 << 2 };

struct mpstream_connection {
	struct xobj *session; /* NULL: none */
	struct lock lock;     /* of the counts */
	uint64_t packets, bytes;
	uint64_t eaten;	    /* bytes since the window was opened last */
	uint64_t misplaced; /* with `stamped`: messages out of order */
};

extern struct mpstream {
	struct xobj *self;
	struct lock births;
	int stamped; /* a message begins with its place in the stream */
	struct mpstream_connection connections[XK_CPUS];
} mpstream;

int mpstream_init(struct xobj *self);
/* Connection `k` is opened to the peer's port; an enum xk_result. */
int mpstream_open(unsigned k, uint16_t port);
/* One message; an enum xk_result. XK_WOULD_BLOCK: there is no room. */
int mpstream_send(unsigned k, size_t bytes);
