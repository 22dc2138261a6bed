/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection's locks: one, two or six (XK_MP_TCP_LOCKS; OSDI'94 5.1).
 *
 *	1	the whole state
 *	2	what receives, what sends
 *	6	header remove, receive window, reassembly, send window, queue of sent data, header
 *		prepend: taken in this order. Reassembly and queue are within the two windows'.
 *
 * Who holds one calls no other layer. */
#pragma once

#include "xkernel/lock/lock.h"

#if XK_MP
#if XK_MP_TCP_LOCKS == 6
enum { TCP_LOCK_REMOVE, TCP_LOCK_RECEIVE, TCP_LOCK_REASSEMBLY };
enum { TCP_LOCK_SEND = TCP_LOCK_REASSEMBLY + 1, TCP_LOCK_QUEUE, TCP_LOCK_PREPEND };
#elif XK_MP_TCP_LOCKS == 2
enum { TCP_LOCK_RECEIVE, TCP_LOCK_SEND };
#elif XK_MP_TCP_LOCKS == 1
enum { TCP_LOCK_RECEIVE, TCP_LOCK_SEND = TCP_LOCK_RECEIVE };
#else
#error "XK_MP_TCP_LOCKS is 1, 2 or 6"
#endif

struct tcp_parallel {
	uint64_t tickets; /* given out so far; under the receive lock */
	struct lock lock[XK_MP_TCP_LOCKS];
	uint64_t padding_before[XK_MP_BLOCK / 8];
	uint64_t served; /* the ticket whose turn it is to be delivered */
	uint64_t padding_after[XK_MP_BLOCK / 8];
};
#define TCP_PARALLEL struct tcp_parallel parallel;

/* Guards the protocol's numbers for new connections, and the count of half-open ones. */
#define TCP_BIRTHS struct lock births;
#define tcp_lock_births(p) lock_acquire(&(p)->births, LOCK_MUTEX)
#define tcp_unlock_births(p) lock_release(&(p)->births, LOCK_MUTEX)

#define TCP_LOCK(t, which) lock_acquire(&(t)->parallel.lock[which], XK_MP_LOCK)
#define TCP_UNLOCK(t, which) lock_release(&(t)->parallel.lock[which], XK_MP_LOCK)

/* The whole state: prediction and input look at both halves. */
#define tcp_lock_state(t) (TCP_LOCK(t, TCP_LOCK_RECEIVE), TCP_LOCK_OTHER_HALF(t))
#define tcp_unlock_state(t) (TCP_UNLOCK_OTHER_HALF(t), TCP_UNLOCK(t, TCP_LOCK_RECEIVE))
#if XK_MP_TCP_LOCKS == 1
#define TCP_LOCK_OTHER_HALF(t) ((void)0)
#define TCP_UNLOCK_OTHER_HALF(t) ((void)0)
#else
#define TCP_LOCK_OTHER_HALF(t) TCP_LOCK(t, TCP_LOCK_SEND)
#define TCP_UNLOCK_OTHER_HALF(t) TCP_UNLOCK(t, TCP_LOCK_SEND)
#endif

#if XK_MP_TCP_LOCKS == 6
#define tcp_lock_reassembly(t) TCP_LOCK(t, TCP_LOCK_REASSEMBLY)
#define tcp_unlock_reassembly(t) TCP_UNLOCK(t, TCP_LOCK_REASSEMBLY)
#define tcp_lock_queue(t) TCP_LOCK(t, TCP_LOCK_QUEUE)
#define tcp_unlock_queue(t) TCP_UNLOCK(t, TCP_LOCK_QUEUE)
#define tcp_lock_prepend(t) TCP_LOCK(t, TCP_LOCK_PREPEND)
#define tcp_unlock_prepend(t) TCP_UNLOCK(t, TCP_LOCK_PREPEND)
#else
#define tcp_lock_reassembly(t) ((void)0)
#define tcp_unlock_reassembly(t) ((void)0)
#define tcp_lock_queue(t) ((void)0)
#define tcp_unlock_queue(t) ((void)0)
#define tcp_lock_prepend(t) ((void)0)
#define tcp_unlock_prepend(t) ((void)0)
#endif
#endif
