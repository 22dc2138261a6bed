/* SPDX-License-Identifier: BSD-2-Clause */
/* A queue of packets with a limit: what is beyond it is dropped and counted. */
#ifndef BSDNET_PACKET_QUEUE_H
#define BSDNET_PACKET_QUEUE_H

#include "bsdnet/mbuf/mbuf.h"

struct packet_queue {
	struct mbuf *first, *last;
	uint32_t packets, limit;
	uint64_t dropped;
};

void queue_start(struct packet_queue *q, uint32_t limit);
int queue_put(struct packet_queue *q, struct mbuf *packet); /* -1: full; the packet is freed */
struct mbuf *queue_take(struct packet_queue *q);	    /* the oldest; NULL: empty */
#endif
