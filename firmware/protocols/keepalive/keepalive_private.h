/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/keepalive/keepalive.h"
#include "protocols/tcp/tcp_private.h"

enum { KEEPALIVE_TICKS = 1000000 / TCP_SLOW_US }; /* a second */

/* A connection that is watched. It was active if a sequence number moved since the last tick, or
 * if TCP says that it has heard an ACK without news. */
struct watched {
	struct watched *next;
	struct xobj *session;
	uint32_t receive_next, send_una, window_ack;
	uint32_t idle, limit; /* slow ticks, two a second */
	uint32_t probes;
};

extern struct keepalive {
	struct watched *first;
	int running;
} keepalive;
