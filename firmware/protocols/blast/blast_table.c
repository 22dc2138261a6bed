/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: the tables of messages under way, ours and the peer's: what leaves them, and when. */
#include "protocols/blast/blast_private.h"
#include "xkernel/memory/allocate.h"

void blast_let_go(struct blast *b, struct blast_collect **slot)
{
	struct blast_collect *c = *slot;
	struct xobj *session = c->session;

	*slot = NULL;
	b->held -= c->held;
	for (uint32_t n = 0; n < c->fragments; n++)
		msg_destroy(&c->part[n]);
	xk_free(c);
	xClose(session);
}

void blast_evict_oldest(struct blast *b)
{
	struct blast_collect **oldest = NULL;

	for (int i = 0; i < BLAST_COLLECTED; i++)
		if (b->collect[i] && (!oldest || b->collect[i]->born < (*oldest)->born))
			oldest = &b->collect[i];
	if (oldest) {
		blast_counts.evicted++;
		blast_let_go(b, oldest);
	}
}

static void release(struct blast *b, struct blast_sent *sent)
{
	sent->session = NULL;
	msg_destroy(&sent->message);
	sem_signal(&b->room);
}

void blast_free(struct xobj *self, int32_t handle)
{
	struct blast *b = self->state;
	struct blast_sent *sent = &b->sent[handle & (BLAST_OUTSTANDING - 1)];

	if (handle > 0 && sent->session && blast_handle(b, sent) == handle)
		release(b, sent);
}

int blast_sent_expire(struct blast *b, uint64_t now)
{
	int more = 0;

	for (int i = 0; i < BLAST_OUTSTANDING; i++) {
		if (!b->sent[i].session)
			continue;
		if (b->sent[i].due <= now)
			release(b, &b->sent[i]);
		else
			more = 1;
	}
	return more;
}

int blast_send_nack(struct xobj *session, const struct blast_collect *c)
{
	const struct blast_session *s = session->state;
	struct blast_header *h;
	struct msg m;
	int result;

	if (msg_init_bytes(&m, BLAST_HEADER_BYTES)) {
		blast_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h = (struct blast_header *)m.head;
	h->upper = s->upper;
	h->sequence = c->sequence;
	h->bytes = 0;
	h->count_op = swap16(c->fragments) | BLAST_NACK << 16;
	h->mask_high = swap32((uint32_t)(c->mask >> 32));
	h->mask_low = swap32((uint32_t)c->mask);
	blast_counts.nacks_sent++;
	result = xPush(session->down[0], &m);
	msg_destroy(&m);
	return result;
}

int blast_collect_expire(struct blast *b, uint64_t now)
{
	int more = 0;

	for (int i = 0; i < BLAST_COLLECTED; i++) {
		struct blast_collect *c = b->collect[i];
		uint64_t longest;

		if (!c)
			continue;
		more = 1;
		if (c->due > now)
			continue;
		c->fruitless = c->progress ? 0 : c->fruitless + 1;
		if (c->fruitless >= BLAST_FRUITLESS) {
			blast_counts.given_up++;
			blast_let_go(b, &b->collect[i]);
			continue;
		}
		c->progress = 0;
		longest = (uint64_t)BLAST_COLLECT_MAX_MS * c->fragments;
		c->wait = c->wait * 3 < longest ? c->wait * 3 : longest;
		c->due = now + c->wait;
		blast_send_nack(c->session, c);
	}
	return more;
}

/* Nobody refers to the session, but it may be in the lists. */
void blast_forget(struct blast *b, struct xobj *session)
{
	for (int i = 0; i < BLAST_OUTSTANDING; i++)
		if (b->sent[i].session == session)
			release(b, &b->sent[i]);
	for (int i = 0; i < BLAST_REMEMBERED; i++)
		if (b->done[i].session == session)
			b->done[i].session = NULL;
}
