/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/blast/blast.h"
#include "xkernel/byteorder.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/idle.h"
#include "xkernel/thread/semaphore.h"

struct blast_header {
	uint32_t upper, sequence, bytes;
	uint32_t count_op; /* fragments 16, op 8, zero 8 */
	uint32_t mask_high, mask_low;
} __attribute__((may_alias));

enum { BLAST_SEND = 1, BLAST_NACK = 2, BLAST_RETRANSMIT = 3 };
enum { BLAST_SHORT = BLAST_SEND << 16 }; /* count_op of a short message, as loaded */

struct blast_sent {	      /* one of our messages, until it is freed */
	struct xobj *session; /* NULL: the slot is free */
	struct msg message;
	uint32_t sequence, fragments;
	uint32_t generation; /* part of the handle */
	uint64_t due;	     /* ms */
	uint32_t answered;   /* NACKs of this message */
};

struct blast_collect {	      /* one of the peer's, not all here yet */
	struct xobj *session; /* we hold a reference */
	uint32_t sequence;    /* as on the wire */
	uint32_t fragments, held, fruitless;
	uint64_t mask;	    /* what is here */
	uint64_t due, wait; /* ms */
	uint64_t progress;  /* since the last NACK */
	uint64_t born;	    /* for eviction */
	struct msg part[BLAST_MAX_FRAGMENTS];
};

struct blast_done {
	const struct xobj *session;
	uint32_t sequence;
};

struct blast {
	struct map active;  /* {lower session, upper protocol} -> session */
	struct map passive; /* upper protocol -> struct passive_enable */
	struct idle_collector idle;
	struct event clock;
	struct semaphore room; /* of `sent` */
	uint32_t next_sequence;
	uint64_t born, held;
	struct blast_sent sent[BLAST_OUTSTANDING];
	struct blast_collect *collect[BLAST_COLLECTED];
	struct blast_done done[BLAST_REMEMBERED];
	uint64_t next_done;
};

struct blast_session {
	uint32_t upper;		 /* as on the wire */
	uint32_t fragment_bytes; /* what fits a packet */
	uint64_t key[2];
};

static inline uint64_t blast_all(uint32_t fragments)
{
	return ~(uint64_t)0 >> (64 - fragments);
}

/* The handle by which a sender frees its message. */
static inline int32_t blast_handle(const struct blast *b, const struct blast_sent *sent)
{
	return (int32_t)(sent->generation << 6 | (uint32_t)(sent - b->sent));
}

/* blast_open.c */
struct xobj *blast_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
			struct part *parts);
int blast_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts);
int blast_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		       struct part *parts);
/* NULL: nobody wants this protocol, or no memory; counted. */
struct xobj *blast_passive_open(struct xobj *self, struct xobj *lower, uint32_t upper);
void blast_session_destroy(struct xobj *session);

/* blast_push.c, blast_sent.c, blast_demux.c */
int blast_push(struct xobj *session, struct msg *m);
int blast_push_long(struct xobj *session, struct msg *m);
int blast_demux(struct xobj *self, struct xobj *lower, struct msg *m);

/* blast_collect.c: a fragment of a long message, header popped and its length checked; m is exactly
 * its data. */
int blast_collect(struct xobj *session, struct xobj *lower, const struct blast_header *h,
		  struct msg *m);
void blast_take_nack(struct xobj *session, const struct blast_header *h);

/* blast_clock.c */
void blast_clock_start(struct xobj *self); /* something is to be timed */

/* blast_table.c */
void blast_free(struct xobj *self, int32_t handle);
void blast_forget(struct blast *b, struct xobj *session); /* it goes */
void blast_let_go(struct blast *b, struct blast_collect **slot);
void blast_evict_oldest(struct blast *b);
int blast_send_nack(struct xobj *session, const struct blast_collect *c);
/* Does the work that is due; returns whether anything is left to be timed. */
int blast_sent_expire(struct blast *b, uint64_t now);
int blast_collect_expire(struct blast *b, uint64_t now);

/* pause.c: the running thread sleeps; -1: no memory for that, it did not. */
int blast_pause(uint64_t us);

extern const struct xobj_ops blast_protocol_ops, blast_session_ops;
