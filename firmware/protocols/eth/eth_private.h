/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/eth/eth.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/idle.h"

/* A frame lies at 2 mod 4, so a header is a halfword and three longwords. Source and type are eight
 * bytes at 0 mod 8 in a received frame: together they are the key of a session, in one load. */
enum { ETH_SOURCE_OFFSET = 6 };

typedef uint16_t __attribute__((may_alias)) eth_half;
typedef uint32_t __attribute__((may_alias)) eth_word;
typedef uint64_t __attribute__((may_alias)) eth_quad;

struct eth {
	struct xobj *driver; /* LANCE's session */
	struct map active;   /* {source, type} as on the wire -> session */
	struct map passive;  /* type as on the wire -> struct passive_enable */
	struct idle_collector idle;
	uint64_t mac; /* ours, first wire byte lowest */
};

/* Session: the header it pushes. */
struct eth_session {
	uint32_t half; /* destination bytes 0, 1 */
	uint32_t word[3];
	uint64_t key;
	uint64_t remote; /* first wire byte lowest */
};

extern const struct xobj_ops eth_protocol_ops, eth_session_ops;

/* The session for {remote, type}, made if need be, up = receiver; refs not counted. */
struct xobj *eth_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      uint64_t remote, uint32_t wire_type);
void eth_session_destroy(struct xobj *session);
uint64_t eth_load_mac(const uint8_t *bytes);

struct xobj *eth_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts);
int eth_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		    struct part *parts);
int eth_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts);
int eth_demux(struct xobj *self, struct xobj *lower, struct msg *m);
int eth_push(struct xobj *session, struct msg *m);
int eth_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header);
int eth_control(struct xobj *object, int op, void *buffer, size_t bytes);
