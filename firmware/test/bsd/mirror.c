/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the x-kernel's TCP that tests look at, as a picture of the production stack's: the
 * same invariants, right edge and generator's counts hold for both. */
#include <stdlib.h>
#include <string.h>

#include "protocols/tcp/tcp_private.h"
#include "test/bsd/connection.h"
#include "test/bsd/counts.h"
#include "test/host/invariants.h"

enum { MOST = 4096 };

struct mirror {
	struct tcp tcp;
	void *session, *socket;
	struct tcp_chunk queue;
	struct tcp_early early[EARLY_LOOKED_AT];
};

/* Connections without a session of their own. */
static struct unnamed {
	const void *id;
	struct xobj object;
} unnamed[MOST];

static struct map_bucket bucket;
static struct map_entry entries[MOST];
static struct tcp_protocol protocol = { .active = { .buckets = &bucket, .key_words = 1 } };

void *mirror_make(void *session)
{
	struct mirror *m = calloc(1, sizeof *m);

	m->session = session;
	return m;
}

void *mirror_session(const void *state)
{
	return ((const struct mirror *)state)->session;
}

void *mirror_socket(const void *state)
{
	return ((const struct mirror *)state)->socket;
}

/* A message of so many bytes, of which nobody reads any. */
static struct msg message_of(uint32_t bytes)
{
	static uint8_t none[1];

	return (struct msg){ .head = none, .tail = none + bytes };
}

static void show(struct mirror *m, const struct connection *c)
{
	struct tcp *t = &m->tcp;

	m->socket = c->socket;
	m->queue = (struct tcp_chunk){ NULL, message_of(c->queued) };
	*t = (struct tcp){
		.send_una = c->send_una,
		.send_next = c->send_next,
		.send_max = c->send_max,
		.send_window = c->send_window,
		.receive_next = c->receive_next,
		.receive_advertised = c->receive_advertised,
		.receive_space = c->receive_space,
		.receive_size = c->receive_size,
		.state = (tcp_byte)c->state,
		.ack_delayed = (tcp_byte)c->ack_delayed,
		.fin_sent = (tcp_byte)c->fin_sent,
		.user_closed = (tcp_byte)c->user_closed,
		.segment_max = (tcp_short)c->segment_max,
		.queue = { .bytes = c->queued,
			   .chunks = c->queued != 0,
			   .limit = c->queue_limit,
			   .first = c->queued ? &m->queue : NULL },
		.receive_initial = c->receive_initial,
		.passive = c->passive,
		.key = c->key,
		.early_count = c->early_count,
	};
	for (int i = 0; i < TCP_TIMERS; i++)
		t->timer[i] = (tcp_short)c->timer[i];
	for (uint32_t i = 0; i < c->early_seen; i++)
		m->early[i] = (struct tcp_early){ i + 1 < c->early_seen ? &m->early[i + 1] : NULL,
						  c->early[i].sequence, c->early[i].bytes,
						  c->early[i].fin, message_of(c->early[i].bytes) };
	t->early = c->early_seen ? m->early : NULL;
}

void mirror_show(void *state, void *socket)
{
	struct connection c;

	if (socket && connection_of_socket(&c, socket))
		show(state, &c);
}

void mirror_show_text(void *state, uint32_t next)
{
	((struct mirror *)state)->tcp.receive_next = next;
}

static struct xobj *unnamed_of(const struct connection *c)
{
	struct unnamed *u = unnamed, *free = NULL;

	for (; u < unnamed + MOST; u++) {
		if (u->id == c->id)
			return &u->object;
		if (!u->id && !free)
			free = u;
	}
	*free = (struct unnamed){ c->id, { .ops = &tcp_session_ops } };
	free->object.state = mirror_make(NULL);
	return &free->object;
}

struct xobj *session_object(const void *session);

/* Connections that have gone leave no name behind. */
static void forget(const uint64_t *seen)
{
	for (int i = 0; i < MOST; i++)
		if (unnamed[i].id && !(seen[i / 64] >> i % 64 & 1)) {
			free(unnamed[i].object.state);
			unnamed[i].id = NULL;
		}
}

static void remember(uint64_t *seen, const struct xobj *object)
{
	const struct unnamed *u =
	    (const struct unnamed *)((const char *)object - offsetof(struct unnamed, object));
	long i = u - unnamed;

	if (i >= 0 && i < MOST)
		seen[i / 64] |= 1ull << i % 64;
}

void connections_refresh(void)
{
	uint64_t seen[MOST / 64] = { 0 };
	struct map *m = &protocol.active;
	struct connection c;
	void *place = NULL;

	counts_copy();
	bucket.first = NULL;
	m->entries = m->binds = 0;
	while (connection_next(&c, &place)) {
		struct xobj *object = c.session ? session_object(c.session) : unnamed_of(&c);
		struct map_entry *e = &entries[m->entries++];

		if (!c.session)
			remember(seen, object);
		show(object->state, &c);
		*e = (struct map_entry){ bucket.first, object, { c.key }, ++m->binds };
		bucket.first = e;
	}
	forget(seen);
	m->used = &bucket;
	bucket.next_used = NULL;
	bucket.on_list = 1;
	protocol.half_open = connections_half_open();
}

void *mirror_protocol(void)
{
	return &protocol;
}
