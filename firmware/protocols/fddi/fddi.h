/* SPDX-License-Identifier: BSD-2-Clause */
/* FDDI: header of 21 bytes (frame control, stations, LLC and SNAP), demultiplexing by {station,
 * type}. Participants: uint32_t address in host order, which is the peer's; there is no ARP. The
 * only locks are its maps', which nothing on the way down looks into. */
#pragma once

#include "xkernel/percpu/count.h"
#include "xkernel/upi.h"

enum {
	FDDI_HEADER_BYTES = 21,
	FDDI_MTU = 4352,
	FDDI_FRAME_AT = 11, /* modulo 16, of a received frame: IP's header is on 16 then */
	FDDI_STATION_BYTES = 6,
	FDDI_CONTROL = 0x50, /* asynchronous frame, long addresses, LLC */
};

int fddi_init(struct xobj *self);

struct fddi_counts {
	uint64_t received, sent;
	uint64_t runt;	     /* shorter than a header */
	uint64_t misaligned; /* driver fault: frame not at FDDI_FRAME_AT */
	uint64_t not_ours;   /* another station */
	uint64_t not_llc;    /* other than frame control, LLC and SNAP of this header */
	uint64_t unknown_type;
	uint64_t no_memory;
	uint64_t too_long; /* pushed, above the MTU */
} OWN_BLOCK;
extern struct fddi_counts fddi_counts PER_CPU;
