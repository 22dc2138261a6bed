/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: messages larger than a packet as at most 64 fragments, selectively repeated; persistent,
 * but not reliable. Participants: those of the protocol below. docs/reference/protocols/rpc.md. */
#pragma once

#include "xkernel/upi.h"

enum {
	BLAST_HEADER_BYTES = 24,
	BLAST_MAX_FRAGMENTS = 64,
	BLAST_OUTSTANDING = 64, /* messages kept for NACKs; more block their pusher */
	BLAST_COLLECTED = 32,	/* messages, and fragments, being collected */
	BLAST_HELD_FRAGMENTS = 512,
	BLAST_REMEMBERED = 64, /* completed messages whose late fragments are known */
	BLAST_CLOCK_MS = 50,
	BLAST_KEEP_MS = 500,	     /* per fragment, at the sender */
	BLAST_COLLECT_MS = 100,	     /* per fragment, until the first NACK */
	BLAST_COLLECT_MAX_MS = 1000, /* per fragment */
	BLAST_FRUITLESS = 2,	     /* NACKs without progress */
	BLAST_ANSWERS = 16,	     /* NACKs of one message that are answered */
	BLAST_FULL_US = 2000,	     /* transmit ring full: pause, and how often */
	BLAST_FULL_TRIES = 50,
};

/* xPush answers a handle above 0 if the message is kept for NACKs; this control gives it back.
 * Buffer: int32_t. Unknown handles are ignored. */
enum {
	BLAST_FREE = 800,
	BLAST_SET_SEQUENCE = 801, /* uint32_t: of the next long message (for tests of the wrap) */
};

int blast_init(struct xobj *self);

struct blast_counts {
	uint64_t sent, received;		/* fragments; a short message is one */
	uint64_t short_messages, long_messages; /* delivered */
	uint64_t nacks_sent, nacks_received, resent;
	uint64_t waited_for_ring, lost_in_ring;
	uint64_t too_short, bad_op, bad_count, bad_mask, bad_length;
	uint64_t unknown_protocol;
	uint64_t duplicates; /* fragment is there already */
	uint64_t completed_before, retransmit_unknown, nack_unknown;
	uint64_t evicted, given_up, no_memory;
	uint64_t too_long; /* pushed */
};
extern struct blast_counts blast_counts;
