/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/fragment/fragment.h"
#include "protocols/ip/ip_private.h"
#include "xkernel/thread/event.h"

/* Bytes [offset, offset + bytes) of a datagram; pieces are in order and don't overlap. */
struct piece {
	struct piece *next;
	uint32_t offset, bytes;
	struct msg msg;
};

struct datagram {
	struct datagram *next; /* younger */
	uint64_t addresses, protocol_ident;
	struct piece *first;
	uint32_t held, end; /* bytes; end 0: the last fragment has not come */
	uint32_t pieces, scanned;
};

struct fragments {
	struct datagram *oldest;
	uint32_t datagrams, pieces;
	struct event scan;
	struct xobj *self;
	int running; /* the graph names us */
};
extern struct fragments fragments;

void datagram_free(struct datagram *d); /* and off the list */
