/* SPDX-License-Identifier: BSD-2-Clause */
/* A queue of packets with a limit, used with the driver held off. */
#ifndef BSD_PACKETS_H
#define BSD_PACKETS_H

#include "bsd/mbuf/mbuf_lists.h"

enum { PACKETS_LIMIT = 50 };

struct packets {
	struct mbuf *first, *last;
	uint32_t count;
	uint64_t dropped;
};

static inline int packets_full(const struct packets *q)
{
	return q->count >= PACKETS_LIMIT;
}

static inline void packets_put(struct packets *q, struct mbuf *m)
{
	m->next_packet = NULL;
	if (q->first)
		q->last->next_packet = m;
	else
		q->first = m;
	q->last = m;
	q->count++;
}

/* The oldest; NULL: there is none. */
static inline struct mbuf *packets_take(struct packets *q)
{
	struct mbuf *m = q->first;

	if (m) {
		q->first = m->next_packet;
		m->next_packet = NULL;
		q->count--;
	}
	return m;
}
#endif
