/* SPDX-License-Identifier: BSD-2-Clause */
/* Routes: which interface leads to a host. A connection keeps the one that it found (struct
 * route). */
#ifndef BSD_ROUTE_H
#define BSD_ROUTE_H

#include "bsd/net/interface.h"

struct route_entry {
	struct route_entry *next;
	uint32_t net, netmask; /* as on the wire */
	uint32_t gateway;      /* 0: the hosts are on the interface's own wire */
	uint32_t references;
	uint64_t used;
	int up;
	struct interface *interface;
};

struct route { /* as kept: `entry` is for `host` */
	struct route_entry *entry;
	uint32_t host;
};

void route_start(void);
/* -1: no memory. */
int route_add(uint32_t net, uint32_t netmask, uint32_t gateway, struct interface *i);
void route_find(struct route *r); /* r->entry is NULL if there is none */
void route_free(struct route *r);
#endif
