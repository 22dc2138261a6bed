/* SPDX-License-Identifier: BSD-2-Clause */
/* ETH, the device-independent half of the Ethernet driver: 14-byte header, demultiplexing by
 * {remote station, type}. Participants: 6-byte station address. */
#pragma once

#include "xkernel/upi.h"

enum { ETH_HEADER_BYTES = 14, ETH_MTU = 1500, ETH_MAC_BYTES = 6 };

int eth_init(struct xobj *self);

/* 1: a message's frame came to all stations, not to ours alone. For a message on its way up, before
 * another protocol has put its attribute there. */
static inline int eth_to_all(const struct msg *m)
{
	return *(const uint8_t *)m->attribute & 1;
}

struct eth_counts {
	uint64_t runt;	     /* shorter than a header */
	uint64_t misaligned; /* driver fault: frame not at 2 mod 8 */
	uint64_t not_ours;   /* other station or unknown group */
	uint64_t unknown_type;
	uint64_t from_ourselves; /* our own address as source */
	uint64_t no_memory;
	uint64_t too_long; /* pushed, above the MTU */
};
extern struct eth_counts eth_counts;
