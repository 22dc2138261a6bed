/* SPDX-License-Identifier: BSD-2-Clause */
/* A driver in memory that plays the other end of TCP connections (OSDI'94 2.3). It loses nothing
 * and needs no thread of its own: what it answers goes up on the stack of whoever pushed.
 *
 * As a receiver it acknowledges every other segment, up to the highest byte that it has seen. As a
 * sender it gives out segments in order, within the window that TCP offers. */
#pragma once

#include "xkernel/percpu/count.h"
#include "xkernel/upi.h"

enum { MPPEER_PORT = 7000 /* of its first connection; the others follow */ };

int mppeer_init(struct xobj *self);

/* Data of a segment, and whether each is made anew with its place in the stream as the first
 * quadword, or is the processor's one template. Once, after the graph has started, before the
 * other processors begin. */
int mppeer_start(size_t bytes, int fresh); /* an enum xk_result */

/* The sender's: opens connection `k` to the port; then takes its next segment up on this processor.
 * XK_WOULD_BLOCK: the window is full. */
int mppeer_connect(unsigned k, uint16_t port);
int mppeer_receive(unsigned k);

struct mppeer_counts {
	uint64_t received, received_bytes; /* data segments of TCP */
	uint64_t misordered;		   /* of these, below the highest byte seen */
	uint64_t sent;			   /* data segments to TCP */
	uint64_t acks_sent, acks_received;
	uint64_t bad; /* not for a connection, cut short, or with XK_CHECKS a bad checksum */
} OWN_BLOCK;
extern struct mppeer_counts mppeer_counts PER_CPU;
