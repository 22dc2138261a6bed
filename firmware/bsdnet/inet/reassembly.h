/* SPDX-License-Identifier: BSD-2-Clause */
/* From fragments to datagrams. */
#ifndef BSDNET_REASSEMBLY_H
#define BSDNET_REASSEMBLY_H

#include "bsdnet/inet/ip.h"

enum { REASSEMBLY_DATAGRAMS = 16, REASSEMBLY_PIECES = 128, BSD_HALF_SECONDS = 60 };

struct reassembly_counts {
	uint64_t fragments, reassembled; /* received; datagrams that became whole */
	uint64_t malformed;	       /* empty, not a multiple of 8 in the middle, beyond 65,535 */
	uint64_t inconsistent;	       /* beyond the known end, or a second end */
	uint64_t duplicates, overlaps; /* nothing new in it; partly new */
	uint64_t timed_out, evicted;   /* datagrams, with all their pieces */
	uint64_t no_mbuf;
};
extern struct reassembly_counts reassembly_counts;

void reassembly_start(void);
/* m: a fragment's data, m->offset is set. The whole datagram, or NULL: m is kept or dropped. */
struct mbuf *reassemble(const struct ip_addresses *ip, uint32_t ident, int more, struct mbuf *m);
void reassembly_half_second(void);
#endif
