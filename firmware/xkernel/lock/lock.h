/* SPDX-License-Identifier: BSD-2-Clause */
/* Spin locks of several kinds behind one interface. A lock of zeroes is free, whatever its kind.
 *
 * The kind is a constant at each call, the same for acquire and release of a lock. Who shares data
 * with an interrupt handler of his own processor raises the IPL first. */
#pragma once

#include <stdint.h>

#include "xkernel/atomic/word.h"
#include "xkernel/lock/mp.h"
#include "xkernel/switches.h"

enum lock_kind {
	LOCK_TAS,     /* test and set, again and again: OSDI'94's raw mutex */
	LOCK_TTAS,    /* spin on a plain load, then test and set */
	LOCK_BACKOFF, /* the same, and wait twice as long after each lost race */
	LOCK_TICKET,  /* first come, first served, all spin on one word */
	LOCK_MCS,     /* first come, first served, each spins on a word of his own */
	LOCK_CLH,     /* the same, each spins on his predecessor's word */
	LOCK_SYNC,    /* test and set on the sync bus; wants XK_MP_SYNC */
	LOCK_KINDS
};

/* A place in the queue of an MCS or CLH lock, in a block of its own; processors own them. */
struct lock_node {
	uint64_t waits;	   /* MCS: its owner does; CLH: its successor does */
	uint64_t next;	   /* MCS: the successor's node */
	uint64_t of_owner; /* the next in its processor's list of unused nodes */
	uint64_t padding[XK_MP_BLOCK / 8 - 3];
};

struct lock {
#if XK_MP
#if XK_MP_PAD
	uint64_t padding_before[XK_MP_BLOCK / 8];
#endif
	uint64_t word;	 /* taken; the next ticket; the last node of the queue */
	uint64_t second; /* the ticket that is served; the holder's node; number on the sync bus */
	uint64_t holder; /* with XK_CHECKS: 1 + his number, and above that where he took it */
#if XK_MP_PAD
	uint64_t padding_after[XK_MP_BLOCK / 8];
#endif
#endif
};

#if XK_MP
void lock_tas_acquire(struct lock *l);
void lock_ttas_acquire(struct lock *l);
void lock_backoff_acquire(struct lock *l);
void lock_word_release(struct lock *l); /* of these three */
void lock_ticket_acquire(struct lock *l);
void lock_ticket_release(struct lock *l);
void lock_mcs_acquire(struct lock *l);
void lock_mcs_release(struct lock *l);
void lock_clh_acquire(struct lock *l);
void lock_clh_release(struct lock *l);
void lock_sync_acquire(struct lock *l); /* these two are there with XK_MP_SYNC */
void lock_sync_release(struct lock *l);

/* With XK_CHECKS: before and after, they end the machine for a mistake of the caller. */
void lock_check_wanted(const struct lock *l);
void lock_check_taken(struct lock *l);
void lock_check_release(struct lock *l);

static inline void lock_acquire(struct lock *l, enum lock_kind kind)
{
	if (XK_CHECKS)
		lock_check_wanted(l);
	switch (kind) {
	case LOCK_TAS:
		lock_tas_acquire(l);
		break;
	case LOCK_TTAS:
		lock_ttas_acquire(l);
		break;
	case LOCK_BACKOFF:
		lock_backoff_acquire(l);
		break;
	case LOCK_TICKET:
		lock_ticket_acquire(l);
		break;
	case LOCK_MCS:
		lock_mcs_acquire(l);
		break;
	case LOCK_SYNC:
		if (XK_MP_SYNC) {
			lock_sync_acquire(l);
			break;
		}
		/* fallthrough */
	default:
		lock_clh_acquire(l);
	}
	if (XK_CHECKS)
		lock_check_taken(l);
}

static inline void lock_release(struct lock *l, enum lock_kind kind)
{
	if (XK_CHECKS)
		lock_check_release(l);
	switch (kind) {
	case LOCK_TICKET:
		lock_ticket_release(l);
		break;
	case LOCK_MCS:
		lock_mcs_release(l);
		break;
	case LOCK_CLH:
		lock_clh_release(l);
		break;
	case LOCK_SYNC:
		if (XK_MP_SYNC) {
			lock_sync_release(l);
			break;
		}
		/* fallthrough */
	default:
		lock_word_release(l);
	}
}
#else
static inline void lock_acquire(struct lock *l, enum lock_kind kind)
{
}

static inline void lock_release(struct lock *l, enum lock_kind kind)
{
}
#endif
