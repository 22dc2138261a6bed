/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path's view of frames and connections (docs/explanation/fastpath.md). */
#pragma once

#include "protocols/tcp/tcp_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

#if XK_FAST

_Static_assert(!XK_MP, "the fast path is for one processor");

/* Text of at most six bytes: with its headers it is in a frame of the least length. */
enum { TCP_FAST_BYTES = 6, TCP_IP_BYTES = 40 };

typedef uint64_t __attribute__((may_alias)) tcp_quad;

static inline uint64_t tcp_fast_mask(uint32_t bytes)
{
	return ((uint64_t)1 << 8 * bytes) - 1;
}

/* Both halves of a quadword, for a sum that is folded later. */
static inline uint64_t tcp_fast_halves(uint64_t quad)
{
	return (quad & 0xffffffff) + (quad >> 32);
}

/* Sequence and ACK of the segment that follows if nothing is lost, as on the wire. The numbers only
 * change with the segments: between two of them the words of the last sent are right. */
static inline uint64_t tcp_fast_expected(struct tcp *t)
{
	uint64_t numbers = (uint64_t)t->send_max << 32 | t->receive_next;

	if (PREDICT_FALSE(t->fast.expected_for != numbers)) {
		t->fast.expected_for = numbers;
		t->fast.expected = (uint64_t)swap32(t->send_max) << 32 | swap32(t->receive_next);
	}
	return t->fast.expected;
}

#endif
