/* SPDX-License-Identifier: BSD-2-Clause */
/* The Internet checksum (RFC 1071). Sums are kept unfolded, in the machine's byte order, so that
 * pieces may be added; a word is stored into a header as it comes from checksum_fold. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "xkernel/message/msg.h"

/* Adds `bytes` bytes to a sum; for an odd byte at the end a zero follows. */
uint64_t checksum_add(uint64_t sum, const void *data, size_t bytes);
uint64_t checksum_add_msg(uint64_t sum, const struct msg *m);

/* One's complement of the folded sum; 0 over data with a correct checksum in it. */
HEADER_INLINE uint16_t checksum_fold(uint64_t sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}
