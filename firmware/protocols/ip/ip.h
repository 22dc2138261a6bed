/* SPDX-License-Identifier: BSD-2-Clause */
/* IP (RFC 791). Participants: uint32_t address in host order, remote and, if given, local. */
#pragma once

#include "xkernel/percpu/count.h"
#include "xkernel/upi.h"

enum {
	IP_HEADER_BYTES = 20,
	IP_TTL = 30,
	IP_MAX_BYTES = 65535, /* total length of a datagram */
};

/* Information that IP passes up with a message (msg.attribute), as long as the upcall lasts. */
struct ip_info {
	uint32_t source, destination; /* as on the wire */
	uint32_t protocol;
	uint32_t bytes; /* of payload */
};

int ip_init(struct xobj *self);

struct ip_counts {
	uint64_t received, sent;
	uint64_t too_short; /* frame shorter than a header */
	uint64_t bad_version, bad_header_length, bad_checksum;
	uint64_t bad_length; /* total length below the header's or above the frame's */
	uint64_t ttl_expired;
	uint64_t not_ours;
	uint64_t bad_source;	    /* nobody who could be answered */
	uint64_t fragments_refused; /* received, without protocols/fragment in the graph */
	uint64_t unknown_protocol;
	uint64_t no_memory;
	uint64_t too_long;	 /* pushed, above the MTU, or 65535 where IP cuts */
	uint64_t link_broadcast; /* to all stations, but to our address; with XK_LINK_CHECK */
} OWN_BLOCK;
extern struct ip_counts ip_counts PER_CPU;
