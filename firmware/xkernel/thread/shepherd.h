/* SPDX-License-Identifier: BSD-2-Clause */
/* Shepherds: the threads that take received frames up through the protocols.
 *
 * Every receive message is allocated in advance together with its thread, so that a network
 * interrupt handler allocates nothing:
 *
 *	s = shepherd_take();			NULL: none left; drop the frame and count it
 *	copy the frame to shepherd_frame(s)	2 mod 16, at most SHEPHERD_FRAME_BYTES, no FCS
 *	shepherd_deliver(s, session, bytes);	a thread will xDemux(session, message)
 *
 * From take to deliver the shepherd is the driver's; deliver gives it back to this module, which
 * refreshes the message after the upcall and returns it to the pool. */
#pragma once

#include "xkernel/message/msg.h"
#include "xkernel/thread/thread.h"
#include "xkernel/upi.h"

enum { SHEPHERDS = 32, SHEPHERD_FRAME_BYTES = 1518 };

struct shepherd {
	struct shepherd *next; /* pool, last in first out */
	struct msg msg;
	struct xobj *session; /* the driver's session that received the frame */
	struct thread thread;
};

struct shepherd_counts {
	uint64_t delivered;
	uint64_t none_left;	 /* shepherd_take found the pool empty */
	uint64_t refresh_failed; /* no memory: refreshed when a later frame asks */
};
extern struct shepherd_counts shepherd_counts;

int shepherd_init(void); /* -1: no memory */

/* These three at IPL_NET or above. */
struct shepherd *shepherd_take(void);
void shepherd_put_back(struct shepherd *s); /* taken, but there is nothing to deliver */
void shepherd_deliver(struct shepherd *s, struct xobj *session, size_t bytes);

static inline uint8_t *shepherd_frame(struct shepherd *s)
{
	return s->msg.head;
}

/* The path that a driver with a classifier has recognised lies in the two bytes before a frame; 0:
 * none. xkernel/path.h reads it. */
static inline void shepherd_path_set(struct shepherd *s, uint64_t path)
{
	typedef uint64_t __attribute__((may_alias)) word;
	word *first = (word *)(shepherd_frame(s) - 2);

	*first = (*first & ~(uint64_t)0xffff) | path;
}
