/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP: a message out. */
#include "protocols/icmp/icmp_private.h"
#include "xkernel/checksum.h"

int icmp_send(struct xobj *ip_session, struct msg *m, uint32_t type_code, uint32_t ident_sequence)
{
	uint64_t sum = checksum_add_msg((uint64_t)type_code + ident_sequence, m);
	struct icmp_header *h = msg_push(m, ICMP_HEADER_BYTES);

	if (!h) {
		icmp_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h->ident_sequence = ident_sequence;
	h->type_code_checksum = type_code | (uint32_t)checksum_fold(sum) << 16;
	return xPush(ip_session, m);
}

struct xobj *icmp_open(struct xobj *self, uint32_t host)
{
	struct part parts[2];

	parts_init(parts);
	part_push(&parts[0], &host, sizeof host);
	return xOpen(self, self, self->down[0], parts);
}
