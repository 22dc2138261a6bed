/* SPDX-License-Identifier: BSD-2-Clause */
/* VNET, a virtual protocol: no header, but the choice of interface and of the neighbour's station
 * address. Participants: uint32_t IP address in host order. */
#pragma once

#include "xkernel/upi.h"

int vnet_init(struct xobj *self);

struct vnet_counts {
	uint64_t unreachable; /* no interface or no neighbour entry */
	uint64_t no_memory;
};
extern struct vnet_counts vnet_counts;

/* neighbour.c: station address of a host on our network, first wire byte lowest; 0: unknown. The
 * table is filled from the boot block; graphs with ARP don't ask it. */
uint64_t neighbour_find(uint32_t host);
int neighbour_add(uint32_t host, uint64_t mac); /* -1: table full */
