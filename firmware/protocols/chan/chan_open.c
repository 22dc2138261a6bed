/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: opens. */
#include "protocols/chan/chan_private.h"
#include "xkernel/map/passive.h"

/* A channel to this machine nobody uses: its number, and the session if there is one already. */
static uint32_t free_channel(struct chan *c, struct xobj *lower, uint32_t upper,
			     struct xobj **session)
{
	for (uint32_t n = 1; n < 65536; n++) {
		uint64_t key[2];

		chan_key(key, lower, upper, swap16(n));
		*session = map_find(&c->clients, key);
		if (!*session || !ref_read(&(*session)->refs))
			return swap16(n);
	}
	return 0;
}

struct xobj *chan_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		       struct part *parts)
{
	struct chan *c = self->state;
	int64_t number = graph_number(self, type);
	uint32_t upper = swap32((uint32_t)number), channel;
	struct xobj *lower, *session;

	if (number < 0)
		return NULL;
	lower = xOpen(self, self, self->down[0], parts);
	if (!lower)
		return NULL;
	channel = free_channel(c, lower, upper, &session);
	if (session) { /* closed when there was no memory to remember its sequence */
		xClose(lower);
		session->up = receiver;
		((struct chan_end *)session->state)->tries_limit = CHAN_TRIES;
		return xDuplicate(session);
	}
	if (channel)
		session = chan_session_make(self, &chan_client_ops, &c->clients, receiver, type,
					    lower, upper, channel);
	if (!session) {
		chan_counts.no_memory++;
		xClose(lower);
		return NULL;
	}
	chan_recall(session, 1);
	((struct chan_end *)session->state)->state = CHAN_FREE;
	return xDuplicate(session);
}

struct xobj *chan_passive_open(struct xobj *self, struct xobj *lower, uint32_t upper,
			       uint32_t channel, uint32_t sequence)
{
	struct chan *c = self->state;
	uint64_t key = upper;
	struct passive_enable *enable = map_resolve(&c->passive, &key, 1);
	struct xobj *session;
	struct chan_end *e;

	if (!enable) {
		chan_counts.unknown_protocol++;
		return NULL;
	}
	if (!chan_make_room(self)) {
		chan_counts.full++;
		return NULL;
	}
	session = chan_session_make(self, &chan_server_ops, &c->servers, enable->receiver,
				    enable->type, xDuplicate(lower), upper, channel);
	if (!session) {
		chan_counts.no_memory++;
		xClose(lower);
		return NULL;
	}
	e = session->state;
	e->state = CHAN_IDLE;
	e->sequence = sequence - 1; /* so that this one is new, unless we know better */
	chan_recall(session, 0);
	if (xOpenDone(enable->receiver, session, self) < 0)
		return NULL; /* it stays, and collects its sequence */
	return session;
}
