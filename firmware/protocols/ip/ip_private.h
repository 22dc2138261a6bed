/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/ip/ip.h"
#include "xkernel/byteorder.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/idle.h"

/* Five longwords as on the wire. Taken apart by shifts: the machine has no short loads. */
struct ip_header {
	uint32_t version_length; /* version 4, IHL 4, service 8, total length 16 */
	uint32_t fragment;	 /* ident 16, flags 3, offset 13 */
	uint32_t ttl_protocol;	 /* TTL 8, protocol 8, checksum 16 */
	uint32_t source, destination;
} __attribute__((may_alias));

enum { IP_MORE_OR_OFFSET = 0x3fff }; /* of `fragment`, low half in host order */

struct ip {
	struct map active;  /* {remote, local} as on the wire, protocol -> session */
	struct map passive; /* protocol -> struct passive_enable */
	struct idle_collector idle;
	uint32_t address, broadcast; /* as on the wire */
#if XK_MP
	uint64_t ident; /* processors add to it */
#else
	uint32_t ident;
#endif
};

struct ip_session {
	struct ip_header header; /* template, length, ident and checksum 0 */
	uint64_t sum;		 /* of the template */
	uint64_t key[2];
	uint32_t mtu;
};

extern const struct xobj_ops ip_protocol_ops, ip_session_ops;

/* Takes over a reference to `lower` if it succeeds. refs 0. */
struct xobj *ip_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			     struct xobj *lower, uint32_t remote, uint32_t local,
			     uint32_t protocol);
void ip_session_destroy(struct xobj *session);

static inline void ip_key(uint64_t key[2], uint32_t remote, uint32_t local, uint32_t protocol)
{
	key[0] = (uint64_t)remote << 32 | local;
	key[1] = protocol;
}

struct xobj *ip_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts);
int ip_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type, struct part *parts);
int ip_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		    struct part *parts);
int ip_demux(struct xobj *self, struct xobj *lower, struct msg *m);
int ip_push(struct xobj *session, struct msg *m);
int ip_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header);
int ip_control(struct xobj *object, int op, void *buffer, size_t bytes);

/* The way back is by address: to the station that VNET's table has, or that ARP finds, now and when
 * it changes. To hosts that VNET cannot reach it is the way the session's first message came. VNET
 * keeps its session without a reference, like any other. */
static inline struct xobj *ip_way_back(struct xobj *self, struct xobj *came_by, uint32_t source)
{
	uint32_t host = swap32(source);
	struct xobj *lower;
	struct part below[2];

	parts_init(below);
	part_push(&below[0], &host, sizeof host);
	lower = xOpen(self, self, self->down[0], below);
	if (!lower)
		return came_by;
	xClose(lower);
	return lower;
}

/* protocols/fragment, in images with XK_FRAGMENTS. 0: m is now the whole datagram's payload. */
int ip_assemble(const struct ip_header *h, struct msg *m);
int ip_cut(struct xobj *session, struct msg *m); /* instead of ip_push, above the MTU */
uint32_t ip_max_bytes(uint32_t mtu);		 /* the longest datagram ip_push takes */
