/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP (RFC 792): answers echo requests, asks them, reports ports that nobody listens to.
 * docs/reference/protocols/udp-icmp.md. */
#pragma once

#include "protocols/ip/ip.h"
#include "xkernel/upi.h"

enum {
	ICMP_HEADER_BYTES = 8,
	ICMP_ECHO_REPLY = 0,
	ICMP_UNREACHABLE = 3,
	ICMP_ECHO_REQUEST = 8,
	ICMP_TIME_EXCEEDED = 11,
	ICMP_REASSEMBLY = 1,	    /* code of ICMP_TIME_EXCEEDED */
	ICMP_PORT = 3,		    /* code of ICMP_UNREACHABLE */
	ICMP_REPORTS_A_SECOND = 50, /* more are not sent */
	ICMP_PING_US = 15000000,    /* an answer is waited for */
};

enum icmp_control {
	ICMP_REPORT = 800, /* struct icmp_report, of the protocol */
	ICMP_PING = 801,   /* struct icmp_ping, of the protocol; blocks */
};

/* A datagram could not be delivered: says so to its sender. */
struct icmp_report {
	uint32_t type, code;
	uint32_t fragment; /* identifier and fragment field as on the wire; 0: whole, not known */
	const struct ip_info *ip; /* the datagram's */
	const void *payload;	  /* its first eight bytes, on a longword */
};

/* One echo request. */
struct icmp_ping {
	uint32_t host;	 /* in host order */
	uint32_t bytes;	 /* of data, 0 to 65507 */
	uint64_t waited; /* microseconds until the answer, by the interval timer */
};

int icmp_init(struct xobj *self);

struct icmp_counts {
	uint64_t echoes; /* requests answered */
	uint64_t too_short, bad_checksum;
	uint64_t not_ours; /* other types, or a code that is not 0 */
	uint64_t no_memory;
	uint64_t reports_sent, reports_suppressed; /* above the rate, or nowhere to send them */
	uint64_t pings_sent, pings_answered, pings_timed_out;
	uint64_t wrong_answers; /* echo replies that nobody waits for, or with other data */
};
extern struct icmp_counts icmp_counts;
