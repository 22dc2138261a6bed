/* SPDX-License-Identifier: BSD-2-Clause */
/* A driver in memory: there is no adapter, no wire and no interrupt (OSDI'94 2.3). What is pushed
 * is counted, and stays the pusher's; what is to be received is handed in by a processor's own
 * loop. */
#pragma once

#include "xkernel/percpu/count.h"
#include "xkernel/upi.h"

int mpdriver_init(struct xobj *self);

/* A copy of the frame goes up on this processor, its bytes shared. */
int mpdriver_receive(struct xobj *session, struct msg *frame);

struct mpdriver_counts {
	uint64_t received, sent;
	uint64_t sent_bytes;
} OWN_BLOCK;
extern struct mpdriver_counts mpdriver_counts PER_CPU;
