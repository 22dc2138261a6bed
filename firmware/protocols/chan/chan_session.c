/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: what both ends do: sending, timers, coming and going of sessions. */
#include "protocols/blast/blast.h"
#include "protocols/chan/chan_private.h"

int chan_send(struct xobj *session, struct msg *m, uint32_t flags, uint32_t sequence)
{
	const struct chan_end *e = session->state;
	size_t bytes = msg_bytes(m);
	struct chan_header *h = msg_push(m, CHAN_HEADER_BYTES);

	if (PREDICT_FALSE(!h)) {
		chan_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h->channel_flags = e->channel | flags;
	h->upper = e->upper;
	h->sequence = swap32(sequence);
	h->bytes = swap32((uint32_t)bytes);
	return xPush(session->down[0], m);
}

void chan_send_header(struct xobj *session, uint32_t flags, uint32_t sequence)
{
	struct msg m;

	if (msg_init_bytes(&m, 0)) {
		chan_counts.no_memory++;
		return;
	}
	chan_send(session, &m, flags, sequence);
	msg_destroy(&m);
}

static void free_below(struct xobj *session, int32_t handle)
{
	xControl(session->down[0], BLAST_FREE, &handle, sizeof handle);
}

void chan_drop_kept(struct xobj *session)
{
	struct chan_end *e = session->state;

	msg_destroy(&e->kept);
	if (PREDICT_FALSE(e->handle > 0)) {
		free_below(session, e->handle);
		e->handle = 0;
	}
}

/* Pushing may have switched threads: is what was pushed still what is kept? */
void chan_note_handle(struct xobj *session, uint32_t sequence, int32_t handle)
{
	struct chan_end *e = session->state;

	if (handle <= 0)
		return;
	if (e->sequence != sequence || e->gone ||
	    (e->state != CHAN_CALLING && e->state != CHAN_WAIT)) {
		free_below(session, handle);
		return;
	}
	if (e->handle > 0)
		free_below(session, e->handle);
	e->handle = handle;
}

void chan_send_kept(struct xobj *session, uint32_t flags, int whole)
{
	struct chan_end *e = session->state;
	uint32_t sequence = e->sequence;
	struct msg m;

	if (!whole && msg_bytes(&e->kept) > e->one_packet) {
		chan_send_header(session, flags | CHAN_ACK_REQUESTED, sequence);
		return;
	}
	xDuplicate(session);
	msg_share(&m, &e->kept);
	chan_note_handle(session, sequence,
			 chan_send(session, &m, flags | CHAN_USER_MSG, sequence));
	msg_destroy(&m);
	xClose(session);
}

void chan_arm(struct xobj *session, void (*function)(void *session), uint64_t us)
{
	struct chan_end *e = session->state;

	e->wait = us;
	if (XK_FAST_TIMER)
		chan_arm_ticks(session, function, event_ticks(us));
	else
		event_schedule(&e->timer, function, session, us);
}

struct xobj *chan_session_make(struct xobj *self, const struct xobj_ops *ops, struct map *map,
			       struct xobj *receiver, struct xobj *type, struct xobj *lower,
			       uint32_t upper, uint32_t channel)
{
	struct xobj *session =
	    xCreateSession(self, ops, receiver, type, lower, sizeof(struct chan_end));
	struct chan_end *e;

	if (!session)
		return NULL;
	e = session->state;
	e->channel = channel;
	e->upper = upper;
	chan_key(e->key, lower, upper, channel);
	msg_init_empty(&e->kept);
	sem_init(&e->answered, 0);
	e->tries_limit = CHAN_TRIES;
	session->used = 1;
	if (xControl(lower, XK_GET_PEER_HOST, &e->host, sizeof e->host) < 0 ||
	    xControl(lower, XK_GET_OPT_PACKET, &e->one_packet, sizeof e->one_packet) < 0 ||
	    map_bind(map, e->key, session)) {
		xDestroy(session);
		return NULL;
	}
	e->one_packet -= CHAN_HEADER_BYTES;
	return session;
}

enum { REAP_US = 100000 };

/* A session may not be freed while its timer's thread is in it. */
static void reap(void *arg)
{
	struct xobj *self = arg;
	struct chan *c = self->state;
	struct xobj **link = &c->dead;

	while (*link) {
		struct xobj *session = *link;
		struct chan_end *e = session->state;

		if (ref_read(&session->refs) || e->timer.state != EVENT_IDLE || e->timer.busy) {
			link = &e->next_dead;
			continue;
		}
		*link = e->next_dead;
		chan_drop_kept(session);
		if (XK_FAST_OWN)
			chan_fast_freed(session);
		xClose(session->down[0]);
		xDestroy(session);
	}
	if (c->dead)
		event_schedule(&c->reaper, reap, self, REAP_US);
}

void chan_bury(struct xobj *session)
{
	struct chan *c = session->protocol->state;
	struct chan_end *e = session->state;

	if (e->gone == CHAN_BURIED)
		return;
	e->gone = CHAN_BURIED;
	chan_disarm(e);
	if (XK_FAST_TIMER)
		event_cancel(&e->timer);
	chan_fast_forget(session);
	chan_drop_kept(session);
	e->next_dead = c->dead;
	c->dead = session;
	if (c->reaper.state == EVENT_IDLE)
		event_schedule(&c->reaper, reap, session->protocol, REAP_US);
}

/* Idle for a whole period: only the sequence stays. */
static int collect_idle(const uint64_t *key, void *value, void *arg)
{
	struct xobj *session = value;
	const struct chan_end *e = session->state;

	if (ref_read(&session->refs) || session->used || e->state != CHAN_IDLE ||
	    chan_remember(session, 0)) {
		session->used = 0;
		return MAP_CONTINUE;
	}
	chan_bury(session);
	return MAP_CONTINUE | MAP_REMOVE;
}

static void collect(void *arg)
{
	struct xobj *self = arg;
	struct chan *c = self->state;

	map_for_each(&c->servers, collect_idle, NULL);
	event_schedule(&c->collector, collect, self, CHAN_COLLECT_US);
}

void chan_collect_start(struct xobj *self)
{
	struct chan *c = self->state;

	event_schedule(&c->collector, collect, self, CHAN_COLLECT_US);
}

/* One server session less, if any can go: an idle one, or one whose client does not answer. */
static int evict(const uint64_t *key, void *value, void *arg)
{
	struct xobj *session = value;
	const struct chan_end *e = session->state;
	int silent = e->state == CHAN_WAIT && e->tries >= CHAN_WAIT_TRIES;

	if (ref_read(&session->refs) || (e->state != CHAN_IDLE && !silent) ||
	    chan_remember(session, 0))
		return MAP_CONTINUE;
	chan_bury(session);
	return MAP_REMOVE;
}

int chan_make_room(struct xobj *self)
{
	struct chan *c = self->state;

	if (c->servers.entries >= CHAN_SERVERS)
		map_for_each(&c->servers, evict, NULL);
	return c->servers.entries < CHAN_SERVERS;
}
