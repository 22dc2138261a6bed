/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP (RFC 826) for IP over Ethernet: link.md. Not in the measured graphs, where VNET has a
 * table.
 *
 * In a graph, VNET has ARP as the second protocol below it and opens its sessions through it.
 * Participant: uint32_t IP address in host order. xOpen never waits: a session that knows no
 * station address yet keeps the message pushed last until the answer comes. */
#pragma once

#include "xkernel/upi.h"

enum {
	ARP_BYTES = 28,
	ARP_ENTRIES = 100, /* then the oldest goes */
	ARP_TICK_US = 1000000,
	ARP_RETRY_TICKS = 2, /* without an answer */
	ARP_TRIES = 3,
	ARP_LIFE_TICKS = 600, /* of an answer */
};

int arp_init(struct xobj *self);

struct arp_counts {
	uint64_t received, requests_sent, replies_sent;
	uint64_t too_short, bad_format, bad_operation; /* other lengths, hardware, protocol */
	uint64_t bad_sender;  /* a group, not where the frame came from, not on our network */
	uint64_t conflicts;   /* somebody has our address */
	uint64_t unsolicited; /* replies nobody waits for */
	uint64_t learned, changed, expired, evicted;
	uint64_t unresolved; /* no answer to three requests */
	uint64_t replaced;   /* messages that waited, for newer ones */
	uint64_t dropped;    /* messages that waited in vain */
	uint64_t no_memory;
};
extern struct arp_counts arp_counts;
