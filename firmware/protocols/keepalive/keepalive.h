/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP's keep-alive (RFC 1122 4.2.3.6): is the peer of an idle connection still there? tcp.md.
 *
 * A protocol without messages of its own: a graph that names it above TCP makes TCP understand
 * TCP_SET_KEEPALIVE. The measured graphs don't, and their images have none of this code
 * (XK_KEEPALIVE). It looks at connections from outside, twice a second; TCP's own state and path
 * know nothing of it. */
#pragma once

#include "xkernel/upi.h"

enum {
	KEEPALIVE_SECONDS = 7200, /* of silence, as RFC 1122 wants it: then a probe */
	KEEPALIVE_INTERVAL = 75,  /* seconds from probe to probe */
	KEEPALIVE_PROBES = 8,	  /* without an answer, then the connection is given up */
};

int keepalive_init(struct xobj *self);

struct keepalive_counts {
	uint64_t probes, given_up;
	uint64_t no_memory;
};
extern struct keepalive_counts keepalive_counts;
