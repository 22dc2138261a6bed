/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: sessions, active and passive opens. */
#include "protocols/blast/blast_private.h"
#include "xkernel/map/numbered.h"

/* Takes over a reference to `lower` if it succeeds. refs 0. */
static struct xobj *session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
				 struct xobj *lower, uint32_t upper)
{
	struct blast *b = self->state;
	struct xobj *session;
	struct blast_session *s;
	uint32_t packet;

	if (!idle_make_room(&b->idle) ||
	    xControl(lower, XK_GET_OPT_PACKET, &packet, sizeof packet) < 0 ||
	    packet <= BLAST_HEADER_BYTES + 8)
		return NULL;
	session = xCreateSession(self, &blast_session_ops, receiver, type, lower, sizeof *s);
	if (!session)
		return NULL;
	s = session->state;
	s->upper = upper;
	/* So that a header behind a fragment's end is as aligned as one in its middle. */
	s->fragment_bytes = (packet - BLAST_HEADER_BYTES) & ~(uint32_t)7;
	numbered_key(s->key, lower, upper);
	session->used = 1;
	if (map_bind(&b->active, s->key, session)) {
		xDestroy(session);
		return NULL;
	}
	return session;
}

void blast_session_destroy(struct xobj *session)
{
	blast_forget(session->protocol->state, session);
	xClose(session->down[0]);
	xDestroy(session);
}

static void count_no_memory(void)
{
	blast_counts.no_memory++;
}

static void count_unknown_protocol(void)
{
	blast_counts.unknown_protocol++;
}

struct xobj *blast_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
			struct part *parts)
{
	struct blast *b = self->state;

	return numbered_open(self, receiver, type, parts, &b->active, session_make, NULL);
}

struct xobj *blast_passive_open(struct xobj *self, struct xobj *lower, uint32_t upper)
{
	struct blast *b = self->state;

	return numbered_passive_open(self, lower, upper, &b->passive, session_make,
				     count_unknown_protocol, count_no_memory);
}

int blast_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts)
{
	struct blast *b = self->state;

	return passive_enable(&b->passive, self, receiver, type);
}

int blast_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		       struct part *parts)
{
	struct blast *b = self->state;

	return passive_disable(&b->passive, self, receiver, type);
}
