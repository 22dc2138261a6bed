/* SPDX-License-Identifier: BSD-2-Clause */
/* BID: the way up. */
#include "protocols/bid/bid_private.h"
#include "protocols/bidctl/bidctl.h"
#include "xkernel/map/numbered.h"

/* The sender thinks of an earlier boot of ours: an empty message tells it the new id. */
static void teach(struct xobj *self, struct xobj *lower, uint32_t destination, uint32_t upper)
{
	const struct bid *b = self->state;
	struct bid_header *h;
	struct msg m;

	if (msg_init_bytes(&m, BID_HEADER_BYTES)) {
		bid_counts.no_memory++;
		return;
	}
	h = (struct bid_header *)m.head;
	h->source = b->own;
	h->destination = destination;
	h->upper = upper;
	bid_counts.taught++;
	xPush(lower, &m);
	msg_destroy(&m);
}

int bid_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct bid *b = self->state;
	const struct bid_session *s;
	const struct bid_header *h;
	struct xobj *session;
	uint64_t key[2];

	if (PREDICT_FALSE(msg_bytes(m) < BID_HEADER_BYTES)) {
		bid_counts.too_short++;
		return XK_ERROR;
	}
	h = msg_pop(m, BID_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		bid_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	if (PREDICT_FALSE(h->destination != b->own)) {
		bid_counts.old_destination++;
		if (msg_bytes(m)) /* the empty ones are answers themselves */
			teach(self, lower, h->source, h->upper);
		return XK_ERROR;
	}
	numbered_key(key, lower, h->upper);
	session = map_resolve(&b->active, key, 2);
	if (PREDICT_FALSE(!session)) {
		session = bid_passive_open(self, lower, h->upper);
		if (!session)
			return XK_ERROR;
	}
	s = session->state;
	if (PREDICT_FALSE(h->source != s->header.destination)) {
		bid_counts.unknown_source++;
		xControl(session->down[1], BIDCTL_SUSPECT, NULL, 0);
		return XK_ERROR;
	}
	if (PREDICT_FALSE(!msg_bytes(m))) {
		bid_counts.empty++;
		return XK_OK;
	}
	return xPop(session, lower, m, NULL);
}
