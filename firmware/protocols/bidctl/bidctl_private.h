/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/bidctl/bidctl.h"
#include "xkernel/byteorder.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/semaphore.h"

struct bidctl_message {
	uint32_t flags_checksum; /* flags 16, checksum 16 */
	uint32_t source, destination;
	uint32_t request_tag, reply_tag;
} __attribute__((may_alias));

/* In the low half of flags_checksum, as loaded: big-endian shorts. */
enum { BIDCTL_QUERY = 0x0100, BIDCTL_RESPONSE = 0x0200, BIDCTL_BCAST = 0x0400 };

enum bidctl_state {
	BIDCTL_INIT,   /* nothing known, nobody asks */
	BIDCTL_OPEN,   /* asked, nothing known */
	BIDCTL_NORMAL, /* known */
	BIDCTL_ASKING, /* known, being confirmed: the drawing's QUERY */
};

enum { BIDCTL_WATCHERS = 4 };

struct bidctl {
	struct map peers; /* machine -> session */
	struct event clock;
	uint64_t boot_due; /* ms; 0: the broadcast is out */
	uint32_t own;	   /* as on the wire */
	uint32_t next_tag;
	struct xobj *watcher[BIDCTL_WATCHERS];
	uint64_t watchers;
};

struct bidctl_peer {
	uint32_t host;	/* host order */
	uint32_t id;	/* as on the wire; 0: unknown */
	uint32_t state; /* enum bidctl_state */
	uint32_t tag;	/* of the query under way, as on the wire */
	uint32_t tries;
	uint64_t due;  /* ms: next query, or next keep-alive */
	uint64_t used; /* ms */
	uint64_t waiting;
	struct semaphore known;
	int result; /* for those who wait */
};

/* The session for a machine; takes over a reference to `lower` if it makes one. refs 0. */
struct xobj *bidctl_peer_find(struct xobj *self, struct xobj *lower, uint32_t host);
void bidctl_begin(struct xobj *peer); /* a new question, to be sent by the caller */
void bidctl_ask(struct xobj *peer);   /* sends a query, unless one is under way */
int bidctl_wait(struct xobj *peer);
void bidctl_learn(struct xobj *peer, uint32_t id); /* from a response to our query */
void bidctl_send(struct xobj *self, struct xobj *lower, uint32_t flags, uint32_t destination,
		 uint32_t request_tag, uint32_t reply_tag);
int bidctl_demux(struct xobj *self, struct xobj *lower, struct msg *m);
void bidctl_clock_start(struct xobj *self);

extern const struct xobj_ops bidctl_session_ops;
