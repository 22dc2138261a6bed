/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP (RFC 768): docs/reference/protocols/udp-icmp.md.
 *
 * Participants as TCP's: on top a uint16_t port in host order, below what IP wants; the local one
 * may be empty: any port. Sessions that a datagram made are shown by xOpenDone, and end when
 * nobody has a reference and nothing came for a while. With ICMP as the second protocol below,
 * datagrams for a port nobody listens to are answered by "port unreachable". */
#pragma once

#include "xkernel/percpu/count.h"
#include "xkernel/upi.h"

enum { UDP_HEADER_BYTES = 8, UDP_FIRST_PORT = 1024 };

enum udp_control {
	UDP_SET_CHECKSUM = 700, /* uint32_t: 0: send none; sessions begin with 1 */
	UDP_GET_MY_PORT = 701,	/* uint32_t in host order */
	UDP_GET_PEER_PORT = 702,
};

int udp_init(struct xobj *self);

struct udp_counts {
	uint64_t received, sent;
	uint64_t too_short;  /* than a header */
	uint64_t bad_length; /* in the header: below 8 or above what came */
	uint64_t bad_checksum;
	uint64_t no_checksum; /* 0 in the header: taken as it is */
	uint64_t no_port;
	uint64_t refused;  /* by xOpenDone */
	uint64_t too_long; /* pushed */
	uint64_t no_memory;
} OWN_BLOCK;
extern struct udp_counts udp_counts PER_CPU;
