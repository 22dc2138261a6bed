/* SPDX-License-Identifier: BSD-2-Clause */
/* BIDCTL: what is known of another machine. An id is believed only from the answer to a question of
 * ours that is still open; so a frame from the past cannot bring back an old id. */
#include "protocols/bidctl/bidctl_private.h"

static void peer_destroy(struct xobj *peer)
{
	xClose(peer->down[0]);
	xDestroy(peer);
}

struct oldest {
	struct xobj *peer;
	uint64_t used;
};

static int older(const uint64_t *key, void *value, void *arg)
{
	struct xobj *peer = value;
	const struct bidctl_peer *p = peer->state;
	struct oldest *o = arg;

	if (!ref_read(&peer->refs) && !p->waiting && (!o->peer || p->used < o->used))
		*o = (struct oldest){ peer, p->used };
	return MAP_CONTINUE;
}

/* The table is full: the machine not heard of for longest goes, if nobody refers to it. */
static int make_room(struct bidctl *b)
{
	struct oldest o = { NULL, 0 };
	uint64_t key;

	if (b->peers.entries < BIDCTL_PEERS)
		return 1;
	map_for_each(&b->peers, older, &o);
	if (!o.peer)
		return 0;
	key = ((struct bidctl_peer *)o.peer->state)->host;
	map_unbind(&b->peers, &key);
	peer_destroy(o.peer);
	return 1;
}

struct xobj *bidctl_peer_find(struct xobj *self, struct xobj *lower, uint32_t host)
{
	struct bidctl *b = self->state;
	uint64_t key = host;
	struct xobj *peer = map_find(&b->peers, &key);
	struct bidctl_peer *p;

	if (peer)
		return peer;
	if (!make_room(b)) {
		bidctl_counts.full++;
		return NULL;
	}
	peer = xCreateSession(self, &bidctl_session_ops, self, self, lower, sizeof *p);
	if (!peer || map_bind(&b->peers, &key, peer)) {
		bidctl_counts.no_memory++;
		if (peer)
			xDestroy(peer);
		return NULL;
	}
	xDuplicate(lower);
	p = peer->state;
	p->host = host;
	p->used = event_now_ms();
	sem_init(&p->known, 0);
	bidctl_clock_start(self);
	return peer;
}

static void query(struct xobj *peer)
{
	struct bidctl_peer *p = peer->state;
	uint64_t wait = (uint64_t)BIDCTL_QUERY_MS << (p->tries < 8 ? p->tries : 8);

	p->due = event_now_ms() + (wait < BIDCTL_QUERY_MAX_MS ? wait : BIDCTL_QUERY_MAX_MS);
	p->tries++;
	bidctl_send(peer->protocol, peer->down[0], BIDCTL_QUERY, p->id, p->tag, 0);
}

void bidctl_begin(struct xobj *peer)
{
	struct bidctl *b = peer->protocol->state;
	struct bidctl_peer *p = peer->state;

	p->state = p->id ? BIDCTL_ASKING : BIDCTL_OPEN;
	b->next_tag = b->next_tag + 1 ? b->next_tag + 1 : 1;
	p->tag = swap32(b->next_tag);
	p->tries = 0;
	p->due = event_now_ms() + BIDCTL_QUERY_MS;
}

void bidctl_ask(struct xobj *peer)
{
	struct bidctl_peer *p = peer->state;

	if (p->state == BIDCTL_OPEN || p->state == BIDCTL_ASKING)
		return;
	bidctl_begin(peer);
	query(peer);
}

static void wake_all(struct bidctl_peer *p, int result)
{
	p->result = result;
	for (; p->waiting; p->waiting--)
		sem_signal(&p->known);
}

int bidctl_wait(struct xobj *peer)
{
	struct bidctl_peer *p = peer->state;

	if (p->id)
		return XK_OK;
	bidctl_ask(peer);
	p->waiting++;
	if (sem_wait(&p->known)) {
		p->waiting--;
		return XK_NO_MEMORY;
	}
	return p->id ? XK_OK : p->result;
}

static void tell_watchers(struct bidctl *b, struct bidctl_peer *p, int op)
{
	uint32_t host = p->host;

	/* A watcher that registered later stands higher. */
	for (uint64_t i = b->watchers; i-- > 0;)
		xControl(b->watcher[i], op, &host, sizeof host);
}

void bidctl_learn(struct xobj *peer, uint32_t id)
{
	struct bidctl *b = peer->protocol->state;
	struct bidctl_peer *p = peer->state;
	uint32_t before = p->id;

	p->id = id;
	p->state = BIDCTL_NORMAL;
	p->tag = 0;
	p->used = event_now_ms();
	p->due = p->used + BIDCTL_KEEP_ALIVE_MS;
	if (before == id) {
		bidctl_counts.confirmed++;
	} else if (before == 0) {
		bidctl_counts.first_contacts++;
		tell_watchers(b, p, BIDCTL_FIRST_CONTACT);
	} else {
		bidctl_counts.reboots++;
		tell_watchers(b, p, BIDCTL_PEER_REBOOTED);
	}
	wake_all(p, XK_OK);
}

/* Nobody answers. What is known stays: a machine that is off may be the same when it is back. */
static void give_up(struct bidctl_peer *p)
{
	bidctl_counts.unanswered++;
	p->tag = 0;
	p->state = p->id ? BIDCTL_NORMAL : BIDCTL_INIT;
	p->due = event_now_ms() + BIDCTL_KEEP_ALIVE_MS;
	wake_all(p, XK_TIMED_OUT);
}

static int visit(const uint64_t *key, void *value, void *arg)
{
	struct xobj *peer = value;
	struct bidctl_peer *p = peer->state;
	uint64_t now = *(uint64_t *)arg;

	if (!ref_read(&peer->refs) && !p->waiting && now - p->used >= BIDCTL_FORGET_MS) {
		peer_destroy(peer);
		return MAP_CONTINUE | MAP_REMOVE;
	}
	if (p->due > now)
		return MAP_CONTINUE;
	if (p->state == BIDCTL_NORMAL && ref_read(&peer->refs))
		bidctl_ask(peer);
	else if (p->state == BIDCTL_OPEN || p->state == BIDCTL_ASKING) {
		if (p->tries >= BIDCTL_TRIES)
			give_up(p);
		else
			query(peer);
	}
	return MAP_CONTINUE;
}

/* To everybody on our network: this machine has booted. */
static void announce(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();
	uint32_t all = (uint32_t)(boot->ip | ~boot->netmask);
	struct part parts[2];
	struct xobj *lower;

	parts_init(parts);
	part_push(&parts[0], &all, sizeof all);
	lower = xOpen(self, self, self->down[0], parts);
	if (!lower)
		return;
	bidctl_send(self, lower, BIDCTL_BCAST, 0, 0, 0);
	xClose(lower);
}

static void tick(void *arg)
{
	struct xobj *self = arg;
	struct bidctl *b = self->state;
	uint64_t now = event_now_ms();

	if (b->boot_due && now >= b->boot_due) {
		b->boot_due = 0;
		announce(self);
	}
	map_for_each(&b->peers, visit, &now);
	if (b->boot_due || b->peers.entries)
		event_schedule(&b->clock, tick, self, BIDCTL_CLOCK_MS * 1000);
}

void bidctl_clock_start(struct xobj *self)
{
	struct bidctl *b = self->state;

	if (b->clock.state == EVENT_IDLE)
		event_schedule(&b->clock, tick, self, BIDCTL_CLOCK_MS * 1000);
}
