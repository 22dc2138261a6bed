/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/map/map.h"

#include "xkernel/memory/allocate.h"

enum { LOCKED = XK_MP && XK_MP_MAPLOCK };

/* Nothing at all without XK_MP: even an empty function can change the order of operands. */
#if XK_MP && XK_MP_MAPLOCK
#define map_lock(m) counting_acquire(&(m)->lock)
#define map_unlock(m) counting_release(&(m)->lock)
#else
#define map_lock(m)
#define map_unlock(m)
#endif

int map_init(struct map *m, size_t buckets, size_t key_words)
{
	m->cache = NULL;
	m->used = NULL;
	m->entries = m->walkers = m->binds = 0;
	m->mask = buckets - 1;
	m->key_words = key_words;
	m->lock = (struct counting_lock){};
	m->buckets = xk_allocate_zeroed(buckets * sizeof *m->buckets);
	return m->buckets ? 0 : -1;
}

static int forget(const uint64_t *key, void *value, void *arg)
{
	return MAP_CONTINUE | MAP_REMOVE;
}

void map_destroy(struct map *m)
{
	map_for_each(m, forget, NULL);
	xk_free(m->buckets);
	m->buckets = NULL;
}

/* Keys are addresses, ports and numbers: all of them differ somewhere in their halfwords. */
static struct map_bucket *bucket_of(struct map *m, const uint64_t *key)
{
	uint64_t h = key[0];

	for (uint64_t i = 1; i < m->key_words; i++)
		h = (h << 7 | h >> 57) ^ key[i];
	h ^= h >> 32;
	h ^= h >> 16;
	h ^= h >> 7;
	return &m->buckets[h & m->mask];
}

static int same_key(const struct map *m, const uint64_t *a, const uint64_t *b)
{
	for (uint64_t i = 0; i < m->key_words; i++)
		if (a[i] != b[i])
			return 0;
	return 1;
}

static struct map_entry *find_entry(struct map *m, const uint64_t *key)
{
	struct map_entry *e = bucket_of(m, key)->first;

	while (e && !same_key(m, e->key, key))
		e = e->next;
	return e;
}

void *map_find(struct map *m, const uint64_t *key)
{
	struct map_entry *e;

	map_lock(m);
	e = m->cache;

	if (e && same_key(m, e->key, key)) {
		map_unlock(m);
		return e->value;
	}
	e = find_entry(m, key);
	if (!e) {
		map_unlock(m);
		return NULL;
	}
	if (!XK_MP || LOCKED)
		m->cache = e;
	map_unlock(m);
	return e->value;
}

int map_bind(struct map *m, const uint64_t *key, void *value)
{
	struct map_bucket *b = bucket_of(m, key);
	struct map_entry *e;

	map_lock(m);
	if (find_entry(m, key)) {
		map_unlock(m);
		return -1;
	}
	e = xk_allocate_zeroed(sizeof *e);
	if (PREDICT_FALSE(!e)) {
		map_unlock(m);
		return -1;
	}
	for (uint64_t i = 0; i < m->key_words; i++)
		e->key[i] = key[i];
	e->value = value;
	e->number = ++m->binds;
	e->next = b->first;
	b->first = e;
	if (XK_BUCKETS && !b->on_list) {
		b->on_list = 1;
		b->next_used = m->used;
		m->used = b;
	}
	m->entries++;
	map_unlock(m);
	return 0;
}

void *map_unbind(struct map *m, const uint64_t *key)
{
	struct map_entry **link = &bucket_of(m, key)->first, *e;
	void *value;

	map_lock(m);
	while (*link && !same_key(m, (*link)->key, key))
		link = &(*link)->next;
	e = *link;
	if (!e) {
		map_unlock(m);
		return NULL;
	}
	*link = e->next;
	if (m->cache == e)
		m->cache = NULL;
	value = e->value;
	xk_free(e);
	m->entries--;
	map_unlock(m);
	return value;
}

/* The newest entry of the bucket that is older than `number`; NULL: none. */
static struct map_entry *older_entry(const struct map_bucket *b, uint64_t number)
{
	struct map_entry *e = b->first;

	while (e && e->number >= number)
		e = e->next;
	return e;
}

/* The visitor may unbind any entry and bind others, so its number is all that is kept of the one
 * visited last. 0: the visitor wants no more. */
static int visit_bucket(struct map *m, struct map_bucket *b,
			int (*visit)(const uint64_t *, void *, void *), void *arg)
{
	uint64_t key[MAP_KEY_WORDS], number = m->binds + 1;
	struct map_entry *e;

	while ((e = older_entry(b, number))) {
		int action;

		number = e->number;
		for (uint64_t i = 0; i < m->key_words; i++)
			key[i] = e->key[i];
		action = visit(key, e->value, arg);
		if (action & MAP_REMOVE)
			map_unbind(m, key);
		if (!(action & MAP_CONTINUE))
			return 0;
	}
	return 1;
}

/* The visit as it was before SIGCOMM'96 2.2.1: all buckets, empty ones too. */
static void visit_all_buckets(struct map *m, int (*visit)(const uint64_t *, void *, void *),
			      void *arg)
{
	for (uint64_t i = 0; i <= m->mask; i++)
		if (m->buckets[i].first && !visit_bucket(m, &m->buckets[i], visit, arg))
			return;
}

void map_for_each(struct map *m, int (*visit)(const uint64_t *key, void *value, void *arg),
		  void *arg)
{
	struct map_bucket **link = &m->used, *b;

	map_lock(m);
	if (!XK_BUCKETS) {
		visit_all_buckets(m, visit, arg);
		map_unlock(m);
		return;
	}
	m->walkers++;
	while ((b = *link)) {
		if (b->first && !visit_bucket(m, b, visit, arg))
			break;
		/* Buckets used for the first time meanwhile were added at the head of the list. */
		while (*link != b)
			link = &(*link)->next_used;
		/* A visitor may traverse too; only a traversal that is alone may unlink. */
		if (!b->first && m->walkers == 1) {
			*link = b->next_used;
			b->on_list = 0;
		} else {
			link = &b->next_used;
		}
	}
	m->walkers--;
	map_unlock(m);
}
