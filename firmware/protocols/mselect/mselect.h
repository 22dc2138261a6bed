/* SPDX-License-Identifier: BSD-2-Clause */
/* MSELECT: which procedure, and whether it could be called. Participants: as for VCHAN; the
 * procedure's number is the upper protocol's (graphs/numbers.table). rpc.md. */
#pragma once

#include "xkernel/upi.h"

enum { MSELECT_HEADER_BYTES = 8 };

int mselect_init(struct xobj *self);

struct mselect_counts {
	uint64_t too_short;
	uint64_t unknown_id; /* answered FAIL */
	uint64_t failed;     /* FAIL received, or no reply to speak of */
	uint64_t wrong_id;   /* a reply of another procedure */
	uint64_t no_memory;
};
extern struct mselect_counts mselect_counts;
