/* SPDX-License-Identifier: BSD-2-Clause */
/* Ethernet: which frames are ours, and IP's input queue; headers for what is sent. */
#ifndef BSDNET_ETHER_H
#define BSDNET_ETHER_H

#include "bsdnet/packet_queue.h"

enum { ETHER_HEADER = 14, ETHER_MTU = 1500 };

struct ether_counts {
	uint64_t received;
	uint64_t too_short;    /* than a header */
	uint64_t not_ours;     /* another station's */
	uint64_t unknown_type; /* not IP */
	uint64_t sent, not_sent;
	uint64_t no_station; /* for another host than the peer */
	uint64_t no_mbuf;
};
extern struct ether_counts ether_counts;
extern struct packet_queue ip_queue; /* IP's input; its `dropped` counts what was too much */

void ether_start(void);
/* A frame without its header, which is at `header`. At the driver's level. */
void ether_input(const uint8_t *header, struct mbuf *m);
int ether_output(struct mbuf *m, uint32_t host); /* an IP packet; -1: dropped */
#endif
