/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: the way down. A message that fits a packet leaves no trace here. */
#include "protocols/blast/blast_private.h"

int blast_push(struct xobj *session, struct msg *m)
{
	const struct blast_session *s = session->state;
	size_t bytes = msg_bytes(m);
	struct blast_header *h;

	if (PREDICT_FALSE(bytes > s->fragment_bytes))
		return blast_push_long(session, m);
	h = msg_push(m, BLAST_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		blast_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h->upper = s->upper;
	h->sequence = 0;
	h->bytes = swap32((uint32_t)bytes);
	h->count_op = BLAST_SHORT;
	h->mask_high = h->mask_low = 0;
	blast_counts.sent++;
	return xPush(session->down[0], m);
}
