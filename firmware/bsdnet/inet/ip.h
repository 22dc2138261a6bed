/* SPDX-License-Identifier: BSD-2-Clause */
/* IP: headers, reassembly, fragments of what is sent. Hosts in host order. */
#ifndef BSDNET_IP_H
#define BSDNET_IP_H

#include "bsdnet/mbuf/mbuf.h"

enum { IP_HEADER = 20, IP_LONGEST = 65535, IP_UDP = 17 };

struct ip_addresses {
	uint32_t source, destination;
	uint32_t protocol;
	int to_all; /* the frame was for all stations */
};

struct ipin_counts {
	uint64_t received;
	uint64_t too_short;	    /* than a header */
	uint64_t bad_version;	    /* not 4 */
	uint64_t bad_header_length; /* below 20 or beyond the packet */
	uint64_t bad_checksum;	    /* the header's */
	uint64_t bad_length;	    /* below the header's or beyond the packet */
	uint64_t ttl_expired;	    /* 0 on arrival */
	uint64_t not_ours;	    /* another host's */
	uint64_t link_broadcast;    /* ours alone, in a frame for all stations */
	uint64_t bad_source;	    /* ourselves, a broadcast address, a group, 0 or 127 */
	uint64_t unknown_protocol;  /* not UDP */
	uint64_t no_mbuf;
	uint64_t delivered; /* whole datagrams, upwards */
};
extern struct ipin_counts ipin_counts;

struct ipout_counts {
	uint64_t datagrams, fragments; /* sent, of any size; pieces of those that were cut */
	uint64_t too_long;	       /* beyond 65,535 bytes with the header */
	uint64_t no_mbuf;
};
extern struct ipout_counts ipout_counts;

void ip_start(void);
void ip_input(struct mbuf *m);
void ip_output_start(void);
int ip_output(struct mbuf *m, uint32_t host, uint32_t protocol); /* -1: not all of it was sent */

int ip_is_ours(uint32_t host); /* our address, or one that means all hosts here */
#endif
