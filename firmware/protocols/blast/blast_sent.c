/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: our long messages, kept until they are freed, so that lost fragments can go again. */
#include "protocols/blast/blast_private.h"

enum { GENERATION_MAX = (1 << 24) - 1 };

static void keep_longer(struct blast_sent *sent)
{
	sent->due = event_now_ms() + (uint64_t)BLAST_KEEP_MS * sent->fragments;
}

/* The transmit ring may be full: then this thread waits until the chip has sent some. */
static int push_patiently(struct xobj *lower, struct msg *m)
{
	int result = XK_WOULD_BLOCK;

	for (int i = 0; i < BLAST_FULL_TRIES; i++) {
		struct msg copy;

		msg_share(&copy, m);
		result = xPush(lower, &copy);
		msg_destroy(&copy);
		if (result != XK_WOULD_BLOCK)
			return result;
		blast_counts.waited_for_ring++;
		if (blast_pause(BLAST_FULL_US))
			return XK_NO_MEMORY;
	}
	blast_counts.lost_in_ring++;
	return result;
}

/* Fragment n (from 0) of a message whose slot may have been freed meanwhile. */
static int send_fragment(struct xobj *session, struct msg *whole, uint32_t sequence,
			 uint32_t fragments, uint32_t n, uint32_t op)
{
	const struct blast_session *s = session->state;
	uint64_t bit = (uint64_t)1 << n;
	struct blast_header *h;
	struct msg m;
	int result;

	msg_share(&m, whole);
	msg_discard(&m, (size_t)n * s->fragment_bytes);
	msg_truncate(&m, s->fragment_bytes);
	uint32_t bytes = (uint32_t)msg_bytes(&m);

	h = msg_push(&m, BLAST_HEADER_BYTES);
	if (!h) {
		blast_counts.no_memory++;
		msg_destroy(&m);
		return XK_NO_MEMORY;
	}
	h->upper = s->upper;
	h->sequence = swap32(sequence);
	h->bytes = swap32(bytes);
	h->count_op = swap16(fragments) | op << 16;
	h->mask_high = swap32((uint32_t)(bit >> 32));
	h->mask_low = swap32((uint32_t)bit);
	blast_counts.sent++;
	result = push_patiently(session->down[0], &m);
	msg_destroy(&m);
	return result;
}

/* The fragments in `mask`. What cannot be sent is as lost: the receiver will ask for it. */
static void send_mask(struct xobj *session, struct blast_sent *sent, uint64_t mask, uint32_t op)
{
	uint32_t sequence = sent->sequence, fragments = sent->fragments;
	struct msg whole;

	msg_share(&whole, &sent->message);
	xDuplicate(session);
	for (uint32_t n = 0; n < fragments; n++)
		if (mask >> n & 1)
			send_fragment(session, &whole, sequence, fragments, n, op);
	msg_destroy(&whole);
	xClose(session);
}

static struct blast_sent *free_slot(struct blast *b)
{
	for (int i = 0; i < BLAST_OUTSTANDING; i++)
		if (!b->sent[i].session)
			return &b->sent[i];
	return NULL;
}

int blast_push_long(struct xobj *session, struct msg *m)
{
	const struct blast_session *s = session->state;
	struct blast *b = session->protocol->state;
	size_t fragments = (msg_bytes(m) + s->fragment_bytes - 1) / s->fragment_bytes;
	struct blast_sent *sent;
	int32_t handle;

	if (fragments > BLAST_MAX_FRAGMENTS) {
		blast_counts.too_long++;
		return XK_ERROR;
	}
	if (sem_wait(&b->room)) {
		blast_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	sent = free_slot(b); /* the semaphore says there is one */
	sent->session = session;
	msg_share(&sent->message, m);
	sent->sequence = b->next_sequence ? b->next_sequence : 1; /* 0 means a short message */
	b->next_sequence = sent->sequence + 1;
	sent->fragments = (uint32_t)fragments;
	sent->generation = sent->generation < GENERATION_MAX ? sent->generation + 1 : 1;
	sent->answered = 0;
	keep_longer(sent);
	blast_clock_start(session->protocol);
	handle = blast_handle(b, sent);
	send_mask(session, sent, blast_all(sent->fragments), BLAST_SEND);
	return handle;
}

void blast_take_nack(struct xobj *session, const struct blast_header *h)
{
	struct blast *b = session->protocol->state;
	uint32_t sequence = swap32(h->sequence), fragments = swap16(h->count_op & 0xffff);
	uint64_t mask = (uint64_t)swap32(h->mask_high) << 32 | swap32(h->mask_low), missing;

	for (int i = 0; i < BLAST_OUTSTANDING; i++) {
		struct blast_sent *sent = &b->sent[i];

		if (sent->session != session || sent->sequence != sequence)
			continue;
		if (fragments != sent->fragments) {
			blast_counts.bad_count++;
			return;
		}
		if (sent->answered++ >= BLAST_ANSWERS)
			break;
		missing = ~mask & blast_all(fragments);
		blast_counts.nacks_received++;
		for (uint64_t left = missing; left; left &= left - 1)
			blast_counts.resent++;
		keep_longer(sent);
		send_mask(session, sent, missing, BLAST_RETRANSMIT);
		return;
	}
	blast_counts.nack_unknown++;
}
