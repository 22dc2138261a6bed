/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/ip/ip.h"
#include "protocols/udp/udp.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/idle.h"

struct udp_header {
	uint32_t ports;		  /* source, destination as on the wire */
	uint32_t length_checksum; /* 16, 16 */
} __attribute__((may_alias));

struct udp {
	struct map active;  /* {remote address, ports} -> session */
	struct map passive; /* local port as on the wire -> struct passive_enable */
	struct idle_collector idle;
	uint32_t address; /* ours, as on the wire */
	uint32_t next_port;
};

struct udp_session {
	uint64_t key;
	uint32_t ports; /* as we send them */
	uint32_t without_checksum;
	uint64_t pseudo_sum; /* of addresses and protocol */
};

extern const struct xobj_ops udp_session_ops;

/* Ports as in a datagram that we receive: source low. */
static inline uint64_t udp_key(uint32_t remote, uint32_t ports)
{
	return (uint64_t)remote << 32 | ports;
}

/* Takes over a reference to `lower` if it succeeds; refs 0. */
struct xobj *udp_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      struct xobj *lower, uint32_t remote, uint32_t ports);
void udp_session_destroy(struct xobj *session);
struct xobj *udp_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts);
int udp_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		    struct part *parts);
int udp_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts);
int udp_demux(struct xobj *self, struct xobj *lower, struct msg *m);
int udp_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header);
int udp_push(struct xobj *session, struct msg *m);
