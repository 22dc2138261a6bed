/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/mpdriver/frame.h"
#include "protocols/mpdriver/peer/mppeer.h"
#include "protocols/tcp/tcp_constants.h"
#include "protocols/tcp/tcp_header.h"
#include "xkernel/atomic/word.h"

enum {
	MPPEER_INITIAL = 1000, /* its first sequence number */
	MPPEER_EACH = 1 << 18, /* so many bytes are acknowledged segment by segment */
	MPPEER_HEADERS = MPDRIVER_HEADERS + TCP_HEADER_BYTES,
};

/* Sequence numbers in words that several processors change. */
struct mppeer_connection {
	uint32_t ports;	  /* as on the wire in what it sends */
	uint64_t next;	  /* of its next data */
	uint64_t edge;	  /* TCP takes data up to here */
	uint64_t highest; /* the end of TCP's data so far */
	uint64_t packets; /* of TCP's data */
} OWN_BLOCK;

/* A frame that is used again and again; its TCP header is filled in each time. */
struct mppeer_frame {
	struct msg m;
	struct tcp_header *header;
	uint64_t sum; /* of pseudo-header and data */
};

/* A processor's own frames. */
struct mppeer_own {
	struct mppeer_frame answer, data;
	uint64_t answers; /* an answer of this processor is on its way up */
	uint64_t owed;	  /* and another one shall follow */
} OWN_BLOCK;

extern struct mppeer {
	struct xobj *session; /* of FDDI above us */
	size_t bytes;
	int fresh;
} mppeer;
extern struct mppeer_connection mppeer_connections[XK_CPUS];
extern struct mppeer_own mppeer_own[XK_CPUS];

static inline int mppeer_before(uint64_t a, uint64_t b)
{
	return (int32_t)((uint32_t)a - (uint32_t)b) < 0;
}

/* *p := the later of both; 1: `n` is. */
static inline int mppeer_later(uint64_t *p, uint32_t n)
{
	uint64_t seen;

	do {
		seen = atomic_look(p);
		if (!mppeer_before(seen, n))
			return 0;
	} while (!atomic_compare_swap(p, seen, n));
	return 1;
}

/* mppeer_frame.c; an enum xk_result each */
int mppeer_make(struct mppeer_frame *f, size_t bytes);
int mppeer_up(struct mppeer_frame *f, const struct mppeer_connection *c, uint32_t sequence,
	      uint32_t ack, uint32_t flags);
int mppeer_syn(const struct mppeer_connection *c, uint32_t ack, uint32_t flags);

/* A segment of TCP's: mppeer_receiver.c, mppeer_sender.c */
void mppeer_syn_input(struct mppeer_connection *c, const struct tcp_header *h);
void mppeer_data_input(struct mppeer_connection *c, uint32_t sequence, uint32_t bytes,
		       uint32_t flags);
void mppeer_ack_input(struct mppeer_connection *c, const struct tcp_header *h);
