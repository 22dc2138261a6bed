/* SPDX-License-Identifier: BSD-2-Clause */
/* BID: nothing from before a boot gets through, of either machine. Above BLAST (down[0]) with
 * BIDCTL (down[1]). Participants: those of the protocol below. docs/reference/protocols/rpc.md. */
#pragma once

#include "xkernel/upi.h"

enum { BID_HEADER_BYTES = 12 };

int bid_init(struct xobj *self);

struct bid_counts {
	uint64_t too_short;
	uint64_t old_destination; /* addressed to an earlier boot of this machine */
	uint64_t taught;	  /* empty messages sent for that */
	uint64_t unknown_source;  /* from another boot than we know */
	uint64_t empty;		  /* they have done their work */
	uint64_t unknown_protocol, no_memory;
};
extern struct bid_counts bid_counts;
