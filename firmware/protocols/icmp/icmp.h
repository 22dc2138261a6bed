/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP (RFC 792): answers echo requests. docs/icmp.md. */
#ifndef ICMP_H
#define ICMP_H

#include "xkernel/upi.h"

enum { ICMP_HEADER_BYTES = 8 };

int icmp_init(struct xobj *self);

struct icmp_counts {
	uint64_t echoes; /* requests answered */
	uint64_t too_short, bad_checksum;
	uint64_t not_ours; /* other types, or a code that is not 0 */
	uint64_t no_memory;
};
extern struct icmp_counts icmp_counts;
#endif
