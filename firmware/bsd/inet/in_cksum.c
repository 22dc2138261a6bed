/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/inet/ip.h"
#include "xkernel/checksum.h"

uint16_t in_cksum(const struct mbuf *m, uint32_t bytes)
{
	if (m->bytes >= bytes)
		return checksum_fold(checksum_add(0, m->data, bytes));
	return checksum_fold(mbuf_sum(0, m, bytes));
}
