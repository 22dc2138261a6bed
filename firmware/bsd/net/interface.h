/* SPDX-License-Identifier: BSD-2-Clause */
/* The interface: the station, its addresses, its queue of packets to send. There is one. */
#ifndef BSD_INTERFACE_H
#define BSD_INTERFACE_H

#include "bsd/net/packets.h"

enum { STATION_BYTES = 6, LINK_HEADER = 14 };

struct ifstat {
	uint64_t received, sent;
	uint64_t too_short;    /* than a header */
	uint64_t not_ours;     /* another station's */
	uint64_t unknown_type; /* not IP */
	uint64_t no_mbuf;      /* for a frame that came, or for the header of one to send */
	uint64_t no_station;   /* for a host without an entry of the ARP table */
	uint64_t ring_full;    /* the driver's */
	uint64_t queue_full;
};
extern struct ifstat ifstat;

struct interface {
	uint8_t station[STATION_BYTES];
	uint32_t mtu;
	struct packets send;
	int (*output)(struct interface *i, struct mbuf *m, uint32_t host); /* an IP packet */
	int (*start)(struct interface *i); /* sends what is queued, with the driver held off */
};

struct interface_address { /* as on the wire */
	struct interface_address *next;
	uint32_t address, broadcast, net, netmask;
	struct interface *interface;
};
extern struct interface_address *interface_addresses;

/* Is it our address, or one of everybody's? */
static inline int is_broadcast(uint32_t address)
{
	return address == 0xffffffff || address == interface_addresses->broadcast;
}
#endif
