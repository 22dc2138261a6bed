/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP's numbers: those of the x-kernel's TCP, which is BSD Tahoe's. */
#pragma once

#include "xkernel/lock/mp.h"

#ifndef TCP_WINDOW_SHIFT
#define TCP_WINDOW_SHIFT 0 /* of windows in headers; both ends have it by configuration */
#endif

enum tcp_timer { TCP_RETRANSMIT, TCP_PERSIST, TCP_KEEP, TCP_WAIT, TCP_TIMERS };

enum {
	TCP_FAST_US = 200000, /* delayed ACKs are sent */
	TCP_SLOW_US = 500000, /* one slow tick: all that follow but in bytes */
	TCP_RTO_MIN = 2,
	TCP_RTO_MAX = 128,
	TCP_RTO_INITIAL = 12, /* 6 s, until a round trip has been measured */
	TCP_MAX_RETRANSMITS = 12,
	TCP_MAX_BACKOFF = 6, /* times 64 */
	TCP_PERSIST_MIN = 10,
	TCP_PERSIST_MAX = 120,
	TCP_KEEP_OPENING = 150,	   /* 75 s to become established */
	TCP_TWO_MSL = 60,	   /* 30 s */
	TCP_FIN_WAIT_2_MAX = 1200, /* 10 min, once nobody receives */

	TCP_BUFFER_BYTES = 4096, /* each way */
	TCP_MAX_WINDOW = 65535 << TCP_WINDOW_SHIFT,
	TCP_DEFAULT_SEGMENT = 512, /* the peer names none (RFC 1122 4.2.2.6 has 536) */
	TCP_MIN_SEGMENT = 64,	   /* below that a peer is joking */

	TCP_DUPLICATE_ACKS = 3,
	TCP_MAX_EARLY = XK_MP ? 64 : 16, /* segments held for reassembly */
	TCP_MAX_CHUNKS = XK_MP ? 64 : 8, /* of a send queue, then small ones are copied together */
	TCP_MAX_HALF_OPEN = 16,
	TCP_INITIAL_STEP = 64000, /* between connections; no clock: seed.h */
	TCP_FIRST_PORT = 1024,
};
