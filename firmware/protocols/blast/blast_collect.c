/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: the peer's long messages, until all fragments are here. */
#include "protocols/blast/blast_private.h"
#include "xkernel/memory/allocate.h"

static struct blast_collect **find(struct blast *b, const struct xobj *session, uint32_t sequence)
{
	for (int i = 0; i < BLAST_COLLECTED; i++)
		if (b->collect[i] && b->collect[i]->session == session &&
		    b->collect[i]->sequence == sequence)
			return &b->collect[i];
	return NULL;
}

static struct blast_collect **free_slot(struct blast *b)
{
	for (;;) {
		for (int i = 0; i < BLAST_COLLECTED; i++)
			if (!b->collect[i])
				return &b->collect[i];
		blast_evict_oldest(b);
	}
}

static int is_done(const struct blast *b, const struct xobj *session, uint32_t sequence)
{
	for (int i = 0; i < BLAST_REMEMBERED; i++)
		if (b->done[i].session == session && b->done[i].sequence == sequence)
			return 1;
	return 0;
}

static void remember(struct blast *b, const struct xobj *session, uint32_t sequence)
{
	b->done[b->next_done % BLAST_REMEMBERED] = (struct blast_done){ session, sequence };
	b->next_done++;
}

static struct blast_collect **begin(struct xobj *session, uint32_t sequence, uint32_t fragments)
{
	struct blast *b = session->protocol->state;
	struct blast_collect *c = xk_allocate_zeroed(sizeof *c), **slot;

	if (!c) {
		blast_counts.no_memory++;
		return NULL;
	}
	slot = free_slot(b);
	*slot = c;
	c->session = xDuplicate(session);
	c->sequence = sequence;
	c->fragments = fragments;
	c->wait = (uint64_t)BLAST_COLLECT_MS * fragments;
	c->due = event_now_ms() + c->wait;
	c->born = b->born++;
	for (uint32_t n = 0; n < fragments; n++)
		msg_init_empty(&c->part[n]);
	blast_clock_start(session->protocol);
	return slot;
}

/* All parts as one message, as a balanced tree; part[0] becomes it. */
static int assemble(struct blast_collect *c)
{
	for (uint32_t step = 1; step < c->fragments; step *= 2)
		for (uint32_t n = 0; n + step < c->fragments; n += 2 * step) {
			if (msg_join(&c->part[n], &c->part[n + step]))
				return -1;
			msg_destroy(&c->part[n + step]);
		}
	return 0;
}

static int complete(struct xobj *session, struct xobj *lower, struct blast_collect **slot)
{
	struct blast *b = session->protocol->state;
	struct blast_collect *c = *slot;
	struct msg whole;
	int result;

	if (assemble(c)) { /* lost; the protocol above will send it again */
		blast_counts.no_memory++;
		blast_let_go(b, slot);
		return XK_NO_MEMORY;
	}
	remember(b, session, c->sequence);
	whole = c->part[0];
	msg_init_empty(&c->part[0]);
	blast_let_go(b, slot);
	blast_counts.long_messages++;
	result = xPop(session, lower, &whole, NULL);
	msg_destroy(&whole);
	return result;
}

int blast_collect(struct xobj *session, struct xobj *lower, const struct blast_header *h,
		  struct msg *m)
{
	struct blast *b = session->protocol->state;
	uint32_t fragments = swap16(h->count_op & 0xffff), op = h->count_op >> 16, n = 0;
	uint64_t mask = (uint64_t)swap32(h->mask_high) << 32 | swap32(h->mask_low);
	struct blast_collect **slot, *c;

	if (op == BLAST_NACK) {
		blast_take_nack(session, h);
		return XK_OK;
	}
	slot = find(b, session, h->sequence);
	if (!slot) {
		if (is_done(b, session, h->sequence)) {
			blast_counts.completed_before++;
			return XK_OK;
		}
		if (op == BLAST_RETRANSMIT) {
			blast_counts.retransmit_unknown++;
			return XK_ERROR;
		}
		slot = begin(session, h->sequence, fragments);
		if (!slot)
			return XK_NO_MEMORY;
	}
	c = *slot;
	if (fragments != c->fragments) {
		blast_counts.bad_count++;
		return XK_ERROR;
	}
	if (c->mask & mask) {
		blast_counts.duplicates++;
		return XK_OK;
	}
	while (!(mask >> n & 1))
		n++;
	msg_share(&c->part[n], m);
	c->mask |= mask;
	c->progress = 1;
	c->held++;
	if (++b->held > BLAST_HELD_FRAGMENTS) {
		uint64_t born = c->born;

		blast_evict_oldest(b);
		if (!*slot || (*slot)->born != born) /* it was the oldest itself */
			return XK_ERROR;
	}
	if (c->mask == blast_all(fragments))
		return complete(session, lower, slot);
	return XK_OK;
}
