/* SPDX-License-Identifier: BSD-2-Clause */
/* BIDCTL: a message out. */
#include "protocols/bidctl/bidctl_private.h"
#include "xkernel/checksum.h"

void bidctl_send(struct xobj *self, struct xobj *lower, uint32_t flags, uint32_t destination,
		 uint32_t request_tag, uint32_t reply_tag)
{
	struct bidctl *b = self->state;
	struct bidctl_message *h;
	struct msg m;

	if (msg_init_bytes(&m, BIDCTL_MESSAGE_BYTES)) {
		bidctl_counts.no_memory++;
		return;
	}
	h = (struct bidctl_message *)m.head;
	h->flags_checksum = flags;
	h->source = b->own;
	h->destination = destination;
	h->request_tag = request_tag;
	h->reply_tag = reply_tag;
	h->flags_checksum |= (uint32_t)checksum_fold(checksum_add(0, h, sizeof *h)) << 16;
	if (flags & BIDCTL_QUERY)
		bidctl_counts.queries++;
	if (flags & BIDCTL_RESPONSE)
		bidctl_counts.responses++;
	xPush(lower, &m);
	msg_destroy(&m);
}
