/* SPDX-License-Identifier: BSD-2-Clause */
/* VCHAN, a virtual protocol: no header, but a stack of channels, so that several threads can call
 * the same machine. Servers do not notice it. Participants: as for CHAN. rpc.md. */
#pragma once

#include "xkernel/upi.h"

enum { VCHAN_CHANNELS = 5, VCHAN_MAX_CHANNELS = 64 };

enum {
	VCHAN_SET_CHANNELS = 1500, /* uint32_t, 1 to 64: how many calls at a time; session */
	VCHAN_GET_CHANNELS = 1501, /* uint32_t */
};

int vchan_init(struct xobj *self);

struct vchan_counts {
	uint64_t waited; /* calls that had to wait for a channel */
	uint64_t no_memory;
};
extern struct vchan_counts vchan_counts;
