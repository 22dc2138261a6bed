/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: the way up. The header is checked in full before any state is made. */
#include "protocols/blast/blast_private.h"
#include "xkernel/map/numbered.h"

/* Checks a long message's header by itself, not against the rest of the message. */
static int is_sound(const struct blast_header *h, size_t bytes)
{
	uint32_t fragments = swap16(h->count_op & 0xffff), op = h->count_op >> 16;
	uint64_t mask = (uint64_t)swap32(h->mask_high) << 32 | swap32(h->mask_low);

	if (op != BLAST_SEND && op != BLAST_NACK && op != BLAST_RETRANSMIT) {
		blast_counts.bad_op++;
		return 0;
	}
	if (fragments == 0 || fragments > BLAST_MAX_FRAGMENTS) {
		blast_counts.bad_count++;
		return 0;
	}
	if (mask & ~blast_all(fragments) ||
	    (op != BLAST_NACK && (mask == 0 || (mask & (mask - 1))))) {
		blast_counts.bad_mask++;
		return 0;
	}
	/* Only the last may end anywhere: headers above are read by aligned loads. */
	if (op != BLAST_NACK &&
	    (bytes == 0 || ((bytes & 3) && mask != (uint64_t)1 << (fragments - 1)))) {
		blast_counts.bad_length++;
		return 0;
	}
	return 1;
}

static int is_sound_short(const struct blast_header *h)
{
	if ((h->count_op & 0xffff0000) != BLAST_SHORT) {
		blast_counts.bad_op++;
		return 0;
	}
	if (h->count_op != BLAST_SHORT) {
		blast_counts.bad_count++;
		return 0;
	}
	if (h->mask_high | h->mask_low) {
		blast_counts.bad_mask++;
		return 0;
	}
	return 1;
}

int blast_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct blast *b = self->state;
	const struct blast_header *h;
	struct xobj *session;
	uint64_t key[2];
	size_t bytes;

	if (PREDICT_FALSE(msg_bytes(m) < BLAST_HEADER_BYTES)) {
		blast_counts.too_short++;
		return XK_ERROR;
	}
	h = msg_pop(m, BLAST_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		blast_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	bytes = swap32(h->bytes);
	if (PREDICT_FALSE(bytes > msg_bytes(m))) {
		blast_counts.bad_length++;
		return XK_ERROR;
	}
	if (PREDICT_FALSE(h->sequence ? !is_sound(h, bytes) : !is_sound_short(h)))
		return XK_ERROR;
	if (PREDICT_FALSE(bytes < msg_bytes(m)))
		msg_truncate(m, bytes);
	numbered_key(key, lower, h->upper);
	session = map_resolve(&b->active, key, 2);
	if (PREDICT_FALSE(!session)) {
		session = blast_passive_open(self, lower, h->upper);
		if (!session)
			return XK_ERROR;
	}
	blast_counts.received++;
	if (PREDICT_FALSE(h->sequence != 0))
		return blast_collect(session, lower, h, m);
	blast_counts.short_messages++;
	return xPop(session, lower, m, NULL);
}
