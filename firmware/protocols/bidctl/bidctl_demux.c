/* SPDX-License-Identifier: BSD-2-Clause */
/* BIDCTL: messages that arrive. */
#include "protocols/bidctl/bidctl_private.h"
#include "xkernel/checksum.h"

static const struct bidctl_message *load(struct msg *m)
{
	const struct bidctl_message *h;
	uint32_t flags;

	if (msg_bytes(m) != BIDCTL_MESSAGE_BYTES) {
		bidctl_counts.bad_length++;
		return NULL;
	}
	h = msg_pop(m, BIDCTL_MESSAGE_BYTES);
	if (!h) {
		bidctl_counts.no_memory++;
		return NULL;
	}
	if (checksum_fold(checksum_add(0, h, sizeof *h)) != 0) {
		bidctl_counts.bad_checksum++;
		return NULL;
	}
	flags = h->flags_checksum & 0xffff;
	if (!flags || (flags & ~(uint32_t)(BIDCTL_QUERY | BIDCTL_RESPONSE | BIDCTL_BCAST)) ||
	    ((flags & BIDCTL_BCAST) && flags != BIDCTL_BCAST) || !h->source) {
		bidctl_counts.bad_flags++;
		return NULL;
	}
	return h;
}

/* A question. If the one who asks is not who we think, ours goes with the answer. */
static void answer(struct xobj *peer, const struct bidctl_message *h)
{
	struct bidctl_peer *p = peer->state;
	int unknown = h->source != p->id;

	if (unknown && (p->state == BIDCTL_INIT || p->state == BIDCTL_NORMAL))
		bidctl_begin(peer);
	bidctl_send(peer->protocol, peer->down[0], BIDCTL_RESPONSE | (unknown ? BIDCTL_QUERY : 0),
		    h->source, unknown ? p->tag : 0, h->request_tag);
}

int bidctl_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct bidctl *b = self->state;
	const struct bidctl_message *h = load(m);
	struct xobj *peer;
	struct bidctl_peer *p;
	uint32_t flags, host;
	uint64_t key;

	if (!h || xControl(lower, XK_GET_PEER_HOST, &host, sizeof host) < 0)
		return XK_ERROR;
	flags = h->flags_checksum & 0xffff;
	key = host;
	peer = map_find(&b->peers, &key);
	/* Only a question makes us remember a machine. */
	if (!peer && (flags & BIDCTL_QUERY))
		peer = bidctl_peer_find(self, lower, host);
	if (!peer) {
		if (flags & BIDCTL_RESPONSE)
			bidctl_counts.unexpected++;
		return XK_ERROR;
	}
	p = peer->state;
	xDuplicate(peer);
	if (flags & BIDCTL_RESPONSE) {
		if (p->tag && h->reply_tag == p->tag && h->destination == b->own)
			bidctl_learn(peer, h->source);
		else
			bidctl_counts.unexpected++;
	}
	if (flags & BIDCTL_QUERY)
		answer(peer, h);
	if ((flags & BIDCTL_BCAST) && p->id && h->source != p->id)
		bidctl_ask(peer);
	p->used = event_now_ms();
	xClose(peer);
	return XK_OK;
}
