/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: request and reply, at most once. Above BID (down[0]), told of reboots by BIDCTL (down[1]).
 * A client's session is one channel and carries one call at a time. rpc.md. */
#pragma once

#include "xkernel/upi.h"

enum {
	CHAN_HEADER_BYTES = 16,
	CHAN_SERVERS = 256,    /* server sessions; more are refused while none can go */
	CHAN_DORMANT = 4096,   /* sequences left behind */
	CHAN_ASK_US = 5000000, /* client, doubling */
	CHAN_ASK_MAX_US = 20000000,
	CHAN_TRIES = 12,	/* questions in a row without any answer */
	CHAN_WAIT_US = 8000000, /* server, for its reply's acknowledgement; then the longer one */
	CHAN_WAIT_MAX_US = 20000000,
	CHAN_WAIT_TRIES = 5,
	CHAN_COLLECT_US = 20000000,
};

enum {
	CHAN_SET_TRIES = 1300, /* uint32_t: instead of CHAN_TRIES; client's session */
};

int chan_init(struct xobj *self);

struct chan_counts {
	uint64_t calls, executed, replies; /* begun; as server; taken as client */
	uint64_t asked, asked_whole;	   /* client's repetitions: header alone, whole */
	uint64_t acks_sent, acks_received, nacks_sent, nacks_received;
	uint64_t replies_again;
	uint64_t reset, timed_out; /* calls that failed so */
	uint64_t zombies;	   /* server sessions of a machine that has rebooted */
	uint64_t too_short, bad_length, bad_flags, unknown_protocol;
	uint64_t no_session, old_sequence, duplicates, late_replies;
	uint64_t unwanted; /* execution ended when nobody waited for it any more */
	uint64_t full, no_memory;
};
extern struct chan_counts chan_counts;
