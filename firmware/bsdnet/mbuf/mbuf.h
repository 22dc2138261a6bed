/* SPDX-License-Identifier: BSD-2-Clause */
/* Mbufs: chains of small buffers, some with a cluster for their data. The names are BSD's.
 *
 * A packet is a chain by `next`; a queue of packets goes by `next_packet`. Functions that return a
 * chain and fail have freed the chain that they got. */
#ifndef BSDNET_MBUF_H
#define BSDNET_MBUF_H

#include <stddef.h>
#include <stdint.h>

enum {
	MBUF_BYTES = 128,
	CLUSTER_BYTES = 2048,
	MBUF_INSIDE = 96,   /* data of a small mbuf */
	PACKET_INSIDE = 88, /* of one that begins a packet */
	PULLED_UP = 40, /* bytes that m_pullup moves where it moves any: IP's and TCP's headers */
	LINK_ROOM = 16, /* kept free in front of what is pulled up or sent */
	CLUSTER_FROM = PACKET_INSIDE + MBUF_INSIDE, /* fewer bytes are copied into small ones */
};

enum mbuf_flags { M_PACKET = 1, M_CLUSTER = 2, M_TO_ALL = 4 };

struct mbuf {
	struct mbuf *next, *next_packet;
	uint8_t *data;
	uint32_t bytes;
	uint32_t flags;
	union {
		uint8_t inside[MBUF_INSIDE];
		struct {
			uint32_t packet_bytes; /* of the chain; M_PACKET */
			union {
				uint32_t offset; /* of a fragment in its datagram */
				/* The sum, for a datagram that its reader checks, of UDP's header
				 * and pseudo header; 0: it is not to be checked. */
				uint32_t header_sum;
			};
			union {
				uint8_t packet_inside[PACKET_INSIDE];
				uint8_t *cluster; /* M_CLUSTER */
			};
		};
	};
};
_Static_assert(sizeof(struct mbuf) == MBUF_BYTES, "an mbuf has 128 bytes");

struct mbuf_counts {
	uint64_t no_mbuf, no_cluster; /* nothing left */
	uint64_t freed_twice;	      /* a mistake of ours: the buffer is left where it is */
};
extern struct mbuf_counts mbuf_counts;

void mbuf_start(void); /* by net_start */
uint32_t mbufs_free(void);
uint32_t clusters_free(void);

struct mbuf *m_get(void);    /* NULL: none left. Empty */
struct mbuf *m_gethdr(void); /* begins a packet */
int m_clget(struct mbuf *m); /* gives it a cluster; -1: none left, m is as it was */
int m_clshare(struct mbuf *copy, const struct mbuf *m); /* m's cluster; -1: shared too often */
struct mbuf *m_free(struct mbuf *m);			/* this one; returns the next */
void m_freem(struct mbuf *m);				/* the chain; NULL is allowed */

/* chain.c */
struct mbuf *m_pullup(struct mbuf *m, uint32_t bytes); /* the first bytes in one small mbuf */
void m_adj(struct mbuf *m, uint32_t front);	       /* drops bytes at the front, up to all */
void m_trim(struct mbuf *m, uint32_t bytes);	       /* keeps the first bytes of a packet */
struct mbuf *m_copym(const struct mbuf *m, uint32_t from, uint32_t bytes); /* shares clusters */
void m_copydata(const struct mbuf *m, uint32_t from, uint32_t bytes, void *to);
struct mbuf *m_prepend(struct mbuf *m, uint32_t bytes); /* room for a header in front */
void m_cat(struct mbuf *packet, struct mbuf *next);	/* its packet_bytes grow */

/* One's complement sum of the first `bytes` bytes of a chain, unfolded (xkernel/checksum.h). */
uint64_t mbuf_sum(uint64_t sum, const struct mbuf *m, uint32_t bytes);

static inline uint8_t *mbuf_room_start(struct mbuf *m)
{
	if (m->flags & M_CLUSTER)
		return m->cluster;
	return m->flags & M_PACKET ? m->packet_inside : m->inside;
}

static inline uint32_t mbuf_room_bytes(const struct mbuf *m)
{
	if (m->flags & M_CLUSTER)
		return CLUSTER_BYTES;
	return m->flags & M_PACKET ? PACKET_INSIDE : MBUF_INSIDE;
}
#endif
