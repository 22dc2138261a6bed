/* SPDX-License-Identifier: BSD-2-Clause */
/* Servers above UDP: echo (RFC 862, port 7), discard (RFC 863, port 9). */
#pragma once

#include "xkernel/upi.h"

int udpecho_init(struct xobj *self);

struct udpecho_counts {
	uint64_t echoes, discarded;
	uint64_t from_a_server; /* port 7 itself: two of them would never end */
	uint64_t push_failed;	/* lost, as UDP allows */
};
extern struct udpecho_counts udpecho_counts;
