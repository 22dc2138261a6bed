/* SPDX-License-Identifier: BSD-2-Clause */
/* Copy and sum in one pass: integrated layer processing (Clark and Tennenhouse, 1990). */
#ifndef BSDNET_COPY_SUM_H
#define BSDNET_COPY_SUM_H

#include "xkernel/checksum.h"
#include "xkernel/memory/memory.h"

/* Adds the bytes to a sum, as checksum_add does, and copies them, as memcpy does, with its loops.
 * The ends must agree in their alignment to longwords, or it takes two passes. */
static inline uint64_t copy_sum(uint64_t sum, void *to, const void *from, size_t bytes)
{
	typedef uint64_t __attribute__((may_alias)) quad;
	typedef uint32_t __attribute__((may_alias)) longword;
	uint8_t *t = to;
	const uint8_t *f = from;

	if (!((uintptr_t)t & 3) && !((uintptr_t)f & 3)) {
		if (!(((uintptr_t)t ^ (uintptr_t)f) & 7)) {
			if ((uintptr_t)t & 4 && bytes >= 4) {
				sum += *(longword *)t = *(const longword *)f;
				t += 4;
				f += 4;
				bytes -= 4;
			}
			for (; bytes >= 8; bytes -= 8, t += 8, f += 8) {
				quad both = *(const quad *)f;

				*(quad *)t = both;
				sum += (both & 0xffffffff) + (both >> 32);
			}
		}
		for (; bytes >= 4; bytes -= 4, t += 4, f += 4)
			sum += *(longword *)t = *(const longword *)f;
	}
	memcpy(t, f, bytes);
	return checksum_add(sum, f, bytes);
}
#endif
