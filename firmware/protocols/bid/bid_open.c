/* SPDX-License-Identifier: BSD-2-Clause */
/* BID: sessions, active and passive opens. */
#include "protocols/bid/bid_private.h"
#include "protocols/bidctl/bidctl.h"
#include "xkernel/map/numbered.h"

static struct xobj *open_bidctl(struct xobj *self, uint32_t host)
{
	struct part parts[2];

	parts_init(parts);
	part_push(&parts[0], &host, sizeof host);
	return xOpen(self, self, self->down[1], parts);
}

/* Takes over a reference to `lower` if it succeeds. refs 0. */
static struct xobj *session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
				 struct xobj *lower, uint32_t upper)
{
	struct bid *b = self->state;
	struct xobj *session, *peer;
	struct bid_session *s;
	uint32_t host;

	if (!idle_make_room(&b->idle) || xControl(lower, XK_GET_PEER_HOST, &host, sizeof host) < 0)
		return NULL;
	peer = open_bidctl(self, host);
	if (!peer)
		return NULL;
	session = xCreateSession(self, &bid_session_ops, receiver, type, lower, sizeof *s);
	if (!session) {
		xClose(peer);
		return NULL;
	}
	s = session->state;
	session->down[1] = peer;
	session->used = 1;
	s->header = (struct bid_header){ b->own, 0, upper };
	s->host = host;
	xControl(peer, BIDCTL_GET_PEER_ID, &s->header.destination, sizeof s->header.destination);
	numbered_key(s->key, lower, upper);
	if (map_bind(&b->active, s->key, session)) {
		xClose(peer);
		xDestroy(session);
		return NULL;
	}
	return session;
}

void bid_session_destroy(struct xobj *session)
{
	xClose(session->down[1]);
	xClose(session->down[0]);
	xDestroy(session);
}

static void count_no_memory(void)
{
	bid_counts.no_memory++;
}

static void count_unknown_protocol(void)
{
	bid_counts.unknown_protocol++;
}

struct xobj *bid_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts)
{
	struct bid *b = self->state;

	return numbered_open(self, receiver, type, parts, &b->active, session_make,
			     &bid_counts.no_memory);
}

struct xobj *bid_passive_open(struct xobj *self, struct xobj *lower, uint32_t upper)
{
	struct bid *b = self->state;

	return numbered_passive_open(self, lower, upper, &b->passive, session_make,
				     count_unknown_protocol, count_no_memory);
}

int bid_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type, struct part *parts)
{
	struct bid *b = self->state;

	return passive_enable(&b->passive, self, receiver, type);
}

int bid_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts)
{
	struct bid *b = self->state;

	return passive_disable(&b->passive, self, receiver, type);
}
