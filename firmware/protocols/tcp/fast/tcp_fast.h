/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path's view of frames and connections (docs/explanation/fastpath.md). */
#pragma once

#include "protocols/tcp/tcp_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/path_id.h"

#if XK_FAST

_Static_assert(!XK_MP, "the fast path is for one processor");

/* Text of at most six bytes: with its headers it is in a frame of the least length. */
enum { TCP_FAST_BYTES = 6, TCP_IP_BYTES = 40 };

/* A received frame's words, the first with two bytes that are not its own. */
enum frame_word { STATION, SOURCE_TYPE, LENGTH, SOURCE, DESTINATION, NUMBERS, FLAGS, TEXT };

/* Fields that all frames of a connection have alike. */
#define IP_FIXED 0xff3f000000ff00ff /* version, header's length, a length < 256, no fragment */
#define IP_EXPECTED 0x45
#define PROTOCOL_SOURCE 0xffffffff0000ff00

/* The way up of a connection; `self` and `lower`: as demux gets them. */
typedef int (*tcp_fast_way)(struct xobj *session, struct msg *m, struct xobj *self,
			    struct xobj *lower);
extern const tcp_fast_way tcp_fast_shared;

/* With XK_FAST_TABLE: the connection of a frame with such ports, and its code of the way up. */
struct tcp_fast_entry {
	struct xobj *session; /* NULL: none, or another connection has the place */
	tcp_fast_way input;
};
#ifndef TCP_FAST_ENTRIES
#define TCP_FAST_ENTRIES 64 /* fewer in a test */
#endif
extern struct tcp_fast_entry tcp_fast_table[TCP_FAST_ENTRIES];

/* `ports` as on the wire, of either direction: the low bytes of both choose. */
static inline struct tcp_fast_entry *tcp_fast_entry(uint32_t ports)
{
	return &tcp_fast_table[(ports >> 8 ^ ports >> 24) % TCP_FAST_ENTRIES];
}

extern struct xobj *tcp_fast_connection;   /* of the last segment, or NULL */
extern const struct xobj_ops tcp_fast_ops; /* its demux stands before ETH's */

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

/* A number as on the wire, and the number that this is the word of. The numbers only change with
 * the segments: between two of them the words of the last one sent are right. */
static inline uint32_t tcp_fast_word(struct tcp_word *word, uint32_t number)
{
	if (PREDICT_FALSE(word->number != number)) {
		word->number = number;
		word->swapped = swap32(number);
	}
	return word->swapped;
}

#endif
