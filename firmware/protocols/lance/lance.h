/* SPDX-License-Identifier: BSD-2-Clause */
/* The Ethernet driver below ETH. protocols/lance/ implements it for the chip,
 * platform/host/wire.c for an in-memory wire; the rest of the x-kernel cannot tell.
 *
 * The driver is the anchor protocol `lance` with one session.
 *
 * open	ETH calls xOpen(eth, eth, lance, NULL) once, at start. The driver makes its session with
 *	up = receiver, refs 1, and starts to receive. Frames that come before are lost.
 * push	A whole frame, 14-byte header to end of data, without FCS and possibly in several pieces
 *	(msg_for_each). The driver pads to 60 bytes and has copied everything when push returns: the
 *	message is the caller's. Thread level; the driver raises the IPL as it needs. Returns XK_OK
 *	when the chip owns the frame (not: when it is on the wire), XK_WOULD_BLOCK with no free
 *	transmit buffer (counted), XK_ERROR above 1514 bytes. It never waits.
 * receive	The driver's interrupt handler checks the descriptor, takes a shepherd, copies the
 *	frame (FCS cut off, at most SHEPHERD_FRAME_BYTES) to shepherd_frame(), gives the descriptor
 *	back and calls shepherd_deliver(s, session, bytes) (xkernel/thread/shepherd.h). If the
 *	chip's buffers also start at 2 mod 16, source and destination are equally aligned.
 * control	XK_GET_MY_HOST: 6 bytes, wire order. XK_GET_MAX_PACKET, XK_GET_OPT_PACKET: uint32_t
 *	1514.
 */
#pragma once

#include "xkernel/upi.h"

enum { LANCE_MIN_FRAME = 60, LANCE_MAX_FRAME = 1514, LANCE_MAC_BYTES = 6 };
enum { LANCE_CALL_FRAME = 94 };	   /* an RPC without data */
enum { LANCE_RETRY_US = 1000000 }; /* between attempts to start a chip that does not answer */

/* Called once at start, before anything is opened: sets self->ops and brings the device up. XK_OK
 * or below 0. Every protocol has such a function, <name>_init; the composed graph calls them. */
int lance_init(struct xobj *self);

/* In images with XK_FAST: as a push to the driver's session of LANCE_MIN_FRAME bytes, and of
 * LANCE_CALL_FRAME. They are the words' in their order, lowest byte first; what is left of the last
 * word is not sent. */
int lance_push_short(struct xobj *session, const uint64_t words[8]);
int lance_push_call(struct xobj *session, const uint64_t words[12]);

/* Named counters of what the driver drops and meets. */
struct lance_counts {
	uint64_t received, sent;
	uint64_t runt, crc, framing, overflow, missed, no_shepherd;
	uint64_t retry, late_collision, lost_carrier, underflow, no_buffer, too_long;
	uint64_t restarts;
	uint64_t no_answer; /* INIT without IDON: tried again */
};
extern struct lance_counts lance_counts;
