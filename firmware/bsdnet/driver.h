/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of a driver with a received frame: 14 bytes of header, data, no FCS.
 *
 * Either the frame is in the driver's memory and is copied into mbufs (BSD, Mach's server), or a
 * cluster is given in advance, and the frame is put there (HPUX: by DMA, without a copy). All of it
 * at the driver's level. */
#ifndef BSDNET_DRIVER_H
#define BSDNET_DRIVER_H

#include "bsdnet/ether.h"

/* Where a frame begins in its cluster: 2 mod 16, as drivers want it, so that IP's header begins a
 * cache line, as it does where BSD copies a packet to the start of a cluster. */
enum { FRAME_AT = 18, FRAME_ROOM = CLUSTER_BYTES - FRAME_AT };

struct driver_counts {
	uint64_t copied, filled; /* frames handed up either way */
	uint64_t no_buffer;	 /* no mbuf or cluster for a frame */
};
extern struct driver_counts driver_counts;

void driver_start(void);
void driver_copy(const uint8_t *frame, uint32_t bytes);

struct mbuf *driver_cluster(void); /* NULL: none left, counted */
void driver_filled(struct mbuf *m, uint32_t bytes);

static inline uint8_t *driver_place(const struct mbuf *m)
{
	return m->cluster + FRAME_AT;
}
#endif
