/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/arp/arp.h"
#include "protocols/eth/eth.h"
#include "xkernel/thread/event.h"

struct arp_entry {
	uint32_t host;	    /* 0: free */
	uint32_t age;	    /* ticks since the answer, or since the last request */
	uint32_t tries;	    /* requests without an answer */
	uint64_t mac;	    /* first wire byte lowest; 0: not known yet */
	uint64_t last_used; /* ticks of the machine, to choose whom to forget */
};

struct arp_session {
	struct xobj *session; /* ours; down[0]: ETH's, or NULL */
	struct arp_session *next;
	struct xobj *receiver; /* makes sessions for what comes from that station */
	uint32_t host;
	uint64_t mac; /* that down[0] is open to */
	struct msg held;
	int holds;
};

struct arp {
	struct arp_entry entry[ARP_ENTRIES];
	struct arp_session *sessions;
	struct xobj *self, *everybody; /* ETH's session to the broadcast address */
	uint64_t mac;
	uint32_t address, netmask; /* host order */
	struct event tick;
	void (*gave_up)(struct arp *arp, uint32_t host); /* what waits for this host is lost */
};

/* A packet's fields, in host order. */
struct arp_packet {
	uint32_t operation, sender, target;
	uint64_t sender_mac;
};
enum { ARP_REQUEST = 1, ARP_REPLY = 2 };

/* An address on our network that one station may have: neither everybody's nor the network's own,
 * all ones and all zeros (RFC 1122 3.2.1.3). */
static inline int arp_is_neighbour(const struct arp *arp, uint32_t host)
{
	uint32_t station = host & ~arp->netmask;

	return !((host ^ arp->address) & arp->netmask) && station && station != ~arp->netmask;
}

/* arp_packet.c */
int arp_parse(struct msg *m, struct arp_packet *packet); /* -1: dropped and counted */
void arp_send(struct arp *arp, struct xobj *eth_session, uint32_t operation, uint64_t target_mac,
	      uint32_t target);

/* arp_cache.c */
struct arp_entry *arp_find(struct arp *arp, uint32_t host);		   /* NULL: none */
struct arp_entry *arp_learn(struct arp *arp, uint32_t host, uint64_t mac); /* makes or renews */
uint64_t arp_resolve(struct arp *arp, uint32_t host); /* 0: unknown, a request has been sent */
void arp_tick(void *arg);

/* arp_session.c */
void arp_sessions_start(struct arp *arp);
struct xobj *arp_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts);
void arp_answered(struct arp *arp, const struct arp_entry *entry);
