/* SPDX-License-Identifier: BSD-2-Clause */
/* BIDCTL: finds the boot ids of other machines and tells who has booted since. rpc.md.
 *
 * A session stands for one machine. Participants: uint32_t IP address, as for IP. Boot ids are
 * opaque: kept and compared as they lie on the wire; 0 is nobody's. */
#pragma once

#include "xkernel/upi.h"

enum {
	BIDCTL_MESSAGE_BYTES = 20,
	BIDCTL_PEERS = 64,
	BIDCTL_TRIES = 6, /* queries before callers are told that nobody answers */
	BIDCTL_CLOCK_MS = 500,
	BIDCTL_QUERY_MS = 5000, /* doubling */
	BIDCTL_QUERY_MAX_MS = 60000,
	BIDCTL_KEEP_ALIVE_MS = 300000,
	BIDCTL_FORGET_MS = 600000,
	BIDCTL_BOOT_MIN_MS = 1000, /* the broadcast at the start, and what is added at random */
	BIDCTL_BOOT_RANDOM_MS = 2000,
};

enum {
	BIDCTL_GET_OWN_ID = 2200,  /* uint32_t; protocol or session */
	BIDCTL_GET_PEER_ID = 2201, /* uint32_t, 0: not known (yet); session */
	/* Blocks until the id is known. XK_TIMED_OUT: nobody answers. Session. */
	BIDCTL_WAIT = 2202,
	BIDCTL_SUSPECT = 2203, /* another id has been seen: look into it; session */
	/* Protocol: object that is told by the two below; struct xobj *. It must not block. */
	BIDCTL_WATCH = 2204,
	BIDCTL_FIRST_CONTACT = 2205, /* uint32_t: the machine, host order */
	BIDCTL_PEER_REBOOTED = 2206,
};

int bidctl_init(struct xobj *self);

struct bidctl_counts {
	uint64_t queries, responses; /* sent */
	uint64_t first_contacts, reboots, confirmed, unanswered;
	uint64_t bad_length, bad_checksum, bad_flags;
	uint64_t unexpected; /* a response nobody waits for */
	uint64_t full, no_memory;
};
extern struct bidctl_counts bidctl_counts;
