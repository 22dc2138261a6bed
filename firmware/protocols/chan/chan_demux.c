/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: the way up: which end of which channel. */
#include "protocols/chan/chan_private.h"

/* The server's end; a request, or a question about one, may make it. */
static struct xobj *server_of(struct xobj *self, struct xobj *lower, const struct chan_header *h,
			      const uint64_t key[2])
{
	struct chan *c = self->state;
	struct xobj *session = map_resolve(&c->servers, key, 2);

	if (PREDICT_TRUE(session != NULL))
		return session;
	if (!(h->channel_flags & (CHAN_USER_MSG | CHAN_ACK_REQUESTED))) {
		chan_counts.no_session++;
		return NULL;
	}
	return chan_passive_open(self, lower, h->upper, h->channel_flags & 0xffff,
				 swap32(h->sequence));
}

int chan_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct chan *c = self->state;
	struct chan_header *h;
	struct xobj *session;
	uint64_t key[2];
	size_t bytes;

	if (PREDICT_FALSE(msg_bytes(m) < CHAN_HEADER_BYTES)) {
		chan_counts.too_short++;
		return XK_ERROR;
	}
	h = msg_pop(m, CHAN_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		chan_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	bytes = swap32(h->bytes);
	if (PREDICT_FALSE(bytes > msg_bytes(m))) {
		chan_counts.bad_length++;
		return XK_ERROR;
	}
	if (PREDICT_FALSE((h->channel_flags & ~(uint32_t)CHAN_FLAGS) >> 16)) {
		chan_counts.bad_flags++;
		return XK_ERROR;
	}
	if (PREDICT_FALSE(bytes < msg_bytes(m)))
		msg_truncate(m, bytes);
	chan_key(key, lower, h->upper, h->channel_flags & 0xffff);
	if (h->channel_flags & CHAN_FROM_CLIENT) {
		session = server_of(self, lower, h, key);
	} else {
		session = map_resolve(&c->clients, key, 2);
		if (PREDICT_FALSE(!session))
			chan_counts.no_session++;
	}
	if (PREDICT_FALSE(!session))
		return XK_ERROR;
	session->used = 1;
	return xPop(session, lower, m, h);
}
