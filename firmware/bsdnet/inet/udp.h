/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP between IP and sockets. */
#ifndef BSDNET_UDP_H
#define BSDNET_UDP_H

#include "bsdnet/inet/ip.h"

enum { UDP_HEADER = 8, UDP_LONGEST = IP_LONGEST - IP_HEADER - UDP_HEADER };

struct udp_name { /* who sent a datagram, who is to get it; host order */
	uint32_t host, port;
};

struct udpin_counts {
	uint64_t received;
	uint64_t too_short;    /* than a header */
	uint64_t bad_length;   /* below 8 or beyond the datagram */
	uint64_t bad_checksum; /* where checksums are on */
	uint64_t no_checksum;  /* 0 in the header: taken as it is */
	uint64_t not_checked;  /* checksums are off */
	uint64_t no_port;      /* no socket */
	uint64_t no_mbuf;
	uint64_t delivered; /* appended to a socket */
};
extern struct udpin_counts udpin_counts;

void udp_start(void);
void udp_input(struct mbuf *m, const struct ip_addresses *ip);
/* m: the data. -1: not sent. */
int udp_output(struct mbuf *m, uint32_t port, const struct udp_name *to);
#endif
