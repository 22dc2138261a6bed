/* SPDX-License-Identifier: BSD-2-Clause */
/* The Internet checksum over a chain: pieces of any length, odd ones too. */
#include "bsdnet/mbuf/mbuf.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

uint64_t mbuf_sum(uint64_t sum, const struct mbuf *m, uint32_t bytes)
{
	uint32_t before = 0; /* bytes summed so far */

	for (; m && bytes; m = m->next) {
		uint32_t part = m->bytes < bytes ? m->bytes : bytes;

		/* Behind an odd number of bytes each byte is in the other half of its word. */
		if (before & 1)
			sum += swap16((uint16_t)~checksum_fold(checksum_add(0, m->data, part)));
		else
			sum = checksum_add(sum, m->data, part);
		before += part;
		bytes -= part;
	}
	return sum;
}
