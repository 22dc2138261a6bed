/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/bid/bid.h"
#include "xkernel/byteorder.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/idle.h"

struct bid_header {
	uint32_t source, destination; /* boot ids: opaque */
	uint32_t upper;
} __attribute__((may_alias));

struct bid {
	struct map active;  /* {lower session, upper protocol} -> session */
	struct map passive; /* upper protocol -> struct passive_enable */
	struct idle_collector idle;
	uint32_t own; /* our boot id */
};

/* down[0]: BLAST's session, down[1]: BIDCTL's for the machine. */
struct bid_session {
	struct bid_header header; /* template; destination 0: not known yet */
	uint32_t host;
	uint64_t key[2];
};

struct xobj *bid_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts);
int bid_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		    struct part *parts);
int bid_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts);
struct xobj *bid_passive_open(struct xobj *self, struct xobj *lower, uint32_t upper);
void bid_session_destroy(struct xobj *session);
int bid_demux(struct xobj *self, struct xobj *lower, struct msg *m);

extern const struct xobj_ops bid_session_ops;
