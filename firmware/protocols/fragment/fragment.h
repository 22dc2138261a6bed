/* SPDX-License-Identifier: BSD-2-Clause */
/* IP's fragments (RFC 791, RFC 815's result by a list of pieces), off the fast path: ip.md.
 *
 * A protocol without messages of its own: a graph that names it above IP makes IP reassemble what
 * arrives in pieces and cut what is longer than the network takes. With ICMP as the second protocol
 * below, the sender of what stays incomplete is told. The measured graphs don't, and
 * their images have none of this code (XK_FRAGMENTS). */
#pragma once

#include "xkernel/upi.h"

enum {
	FRAGMENT_SCAN_US = 30000000, /* a datagram lives for one to two scans: 30 to 60 s */
	FRAGMENT_MORE = 0x2000,	     /* in the header's fragment field */
	FRAGMENT_MAX_DATAGRAMS = 16,
	FRAGMENT_MAX_PIECES = 128, /* of all datagrams; each may hold a whole receive leaf */
};

int fragment_init(struct xobj *self);

struct fragment_counts {
	uint64_t received, reassembled;
	uint64_t malformed;    /* empty, in the middle and not times 8, beyond 65535 */
	uint64_t inconsistent; /* beyond the datagram's end, or a second end */
	uint64_t duplicates;   /* nothing new in it */
	uint64_t overlaps;     /* partly new: what came first wins */
	uint64_t timed_out;    /* datagrams, all these */
	uint64_t evicted;      /* for newer ones */
	uint64_t no_memory;    /* pieces or datagrams */
	uint64_t sent, cut;    /* fragments; datagrams they were */
	uint64_t send_failed;  /* the rest of the datagram was not sent */
};
extern struct fragment_counts fragment_counts;
