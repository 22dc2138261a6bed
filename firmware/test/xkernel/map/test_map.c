/* SPDX-License-Identifier: BSD-2-Clause */
#include "platform/host/host.h"
#include "test/host/case.h"
#include "xkernel/map/map.h"

static char value[256];

/* With keys from 0 on. */
static void map_of(struct map *m, uint64_t buckets, uint64_t keys)
{
	CHECK_EQUAL(map_init(m, buckets, 1), 0);
	for (uint64_t i = 0; i < keys; i++)
		CHECK_EQUAL(map_bind(m, &i, &value[i]), 0);
}

CASE(map_find_bound)
{
	struct map m;
	uint64_t key[2] = { 1, 2 };

	CHECK_EQUAL(map_init(&m, 8, 2), 0);
	for (uint64_t i = 0; i < 200; i++) {
		key[0] = i * 0x100000001;
		key[1] = i & 3;
		CHECK_EQUAL(map_bind(&m, key, &value[i]), 0);
		CHECK_EQUAL(map_bind(&m, key, &value[0]), -1); /* already bound */
	}
	CHECK_EQUAL(m.entries, 200);
	for (uint64_t i = 0; i < 200; i++) {
		key[0] = i * 0x100000001;
		key[1] = i & 3;
		CHECK(map_resolve(&m, key, 2) == &value[i]);
		CHECK(map_resolve(&m, key, 2) == &value[i]); /* now from the cache */
		key[1] ^= 4;
		CHECK(!map_resolve(&m, key, 2));
	}
	map_destroy(&m);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

CASE(map_cache_forgets_unbound)
{
	struct map m;
	uint64_t key = 7;

	CHECK_EQUAL(map_init(&m, 8, 1), 0);
	CHECK_EQUAL(map_bind(&m, &key, &value[0]), 0);
	CHECK(map_resolve(&m, &key, 1) == &value[0]);
	CHECK(map_unbind(&m, &key) == &value[0]);
	CHECK(!map_resolve(&m, &key, 1));
	CHECK(!map_unbind(&m, &key));
	CHECK_EQUAL(map_bind(&m, &key, &value[1]), 0);
	CHECK(map_resolve(&m, &key, 1) == &value[1]);
	map_destroy(&m);
}

static int count(const uint64_t *, void *, void *arg)
{
	++*(int *)arg;
	return MAP_CONTINUE;
}

static int remove_odd(const uint64_t *key, void *, void *arg)
{
	++*(int *)arg;
	return MAP_CONTINUE | (key[0] & 1 ? MAP_REMOVE : 0);
}

static int stop_at_third(const uint64_t *, void *, void *arg)
{
	return ++*(int *)arg < 3 ? MAP_CONTINUE : 0;
}

static size_t listed_buckets(const struct map *m)
{
	size_t n = 0;

	for (const struct map_bucket *b = m->used; b; b = b->next_used)
		n++;
	return n;
}

CASE(map_traversal)
{
	struct map m;
	int n = 0;

	map_of(&m, 4, 100);
	map_for_each(&m, count, &n);
	CHECK_EQUAL(n, 100);
	n = 0;
	map_for_each(&m, remove_odd, &n);
	CHECK_EQUAL(n, 100);
	CHECK_EQUAL(m.entries, 50);
	n = 0;
	map_for_each(&m, stop_at_third, &n);
	CHECK_EQUAL(n, 3);
	map_destroy(&m);
}

/* A bucket emptied and filled again must be on the list once; a traversal unlinks empty ones.
 * Without XK_BUCKETS there is no list. */
CASE(map_lazy_bucket_list)
{
	struct map m;
	int n = 0;

	map_of(&m, 128, 10);
	CHECK_EQUAL(listed_buckets(&m), XK_BUCKETS ? 10 : 0);
	for (uint64_t i = 0; i < 10; i++)
		map_unbind(&m, &i);
	CHECK_EQUAL(listed_buckets(&m), XK_BUCKETS ? 10 : 0);
	for (uint64_t i = 0; i < 5; i++)
		CHECK_EQUAL(map_bind(&m, &i, &value[i]), 0);
	CHECK_EQUAL(listed_buckets(&m), XK_BUCKETS ? 10 : 0);
	map_for_each(&m, count, &n);
	CHECK_EQUAL(n, 5);
	CHECK_EQUAL(listed_buckets(&m), XK_BUCKETS ? 5 : 0);
	map_destroy(&m);
}

struct churn {
	struct map *m;
	uint64_t next;
	int visited;
};

/* The visitor unbinds what it sees, binds something new and traverses itself. */
static int churn(const uint64_t *key, void *, void *arg)
{
	struct churn *c = arg;
	int n = 0;

	c->visited++;
	CHECK(map_unbind(c->m, key) != NULL);
	if (c->next < 200) {
		CHECK_EQUAL(map_bind(c->m, &c->next, &value[0]), 0);
		c->next++;
	}
	map_for_each(c->m, count, &n);
	CHECK_EQUAL((uint64_t)n, c->m->entries);
	return MAP_CONTINUE;
}

CASE(map_visitor_changes_the_map)
{
	struct map m;
	struct churn c = { &m, 100, 0 };

	map_of(&m, 16, 50);
	map_for_each(&m, churn, &c);
	CHECK(c.visited >= 50);
	map_destroy(&m);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

enum { CHAIN = 40 };

/* A visitor's change to the chain that is walked, and how often each entry was visited. */
struct chain {
	struct map m; /* of one bucket */
	uint64_t bind, unbind,
	    at; /* at this visit: entries to bind and, of those seen, to unbind */
	uint64_t seen[3 * CHAIN], visits[3 * CHAIN], n;
};

static int visit_chain(const uint64_t *key, void *, void *arg)
{
	struct chain *c = arg;

	CHECK(*key < 3 * CHAIN);
	c->visits[*key]++;
	c->seen[c->n++] = *key;
	if (c->n != c->at)
		return MAP_CONTINUE;
	for (uint64_t i = 0; i < c->bind; i++) {
		uint64_t new = CHAIN + i;

		CHECK_EQUAL(map_bind(&c->m, &new, &value[0]), 0);
	}
	for (uint64_t i = 0; i < c->unbind; i++)
		CHECK(map_unbind(&c->m, &c->seen[i]) != NULL);
	return MAP_CONTINUE;
}

static void walk_chain(uint64_t at, uint64_t bind, uint64_t unbind)
{
	struct chain c = { .at = at, .bind = bind, .unbind = unbind };

	map_of(&c.m, 1, CHAIN);
	map_for_each(&c.m, visit_chain, &c);
	for (uint64_t i = 0; i < CHAIN; i++)
		CHECK_EQUAL(c.visits[i], 1);
	for (uint64_t i = CHAIN; i < 3 * CHAIN; i++)
		CHECK(c.visits[i] <= 1); /* bound meanwhile: perhaps */
	map_destroy(&c.m);
}

/* A chain longer than any that is kept at hand: everybody there from start to end is visited once,
 * whatever the visitor binds, and whomever already visited it unbinds. */
CASE(map_long_chain_changes_meanwhile)
{
	for (uint64_t at = 1; at <= CHAIN; at++) {
		walk_chain(at, 1, 0);
		walk_chain(at, 0, 1);
		walk_chain(at, 2 * CHAIN, 0);
		walk_chain(at, 0, at);
		walk_chain(at, 5, at / 2);
	}
}

static int bind_again(const uint64_t *key, void *v, void *arg)
{
	struct chain *c = arg;

	c->visits[*key]++;
	CHECK(map_unbind(&c->m, key) == v);
	CHECK_EQUAL(map_bind(&c->m, key, v), 0);
	return MAP_CONTINUE;
}

/* Unbound and bound again by its visitor: not a second time, or it would go on for ever. */
CASE(map_visitor_binds_again)
{
	struct chain c = { .n = 0 };

	map_of(&c.m, 1, CHAIN);
	map_for_each(&c.m, bind_again, &c);
	for (uint64_t i = 0; i < CHAIN; i++)
		CHECK_EQUAL(c.visits[i], 1);
	map_destroy(&c.m);
}

CASE(map_no_memory)
{
	struct map m;
	uint64_t key = 1;

	host_fail_allocations(0, 1);
	CHECK_EQUAL(map_init(&m, 8, 1), -1);
	CHECK_EQUAL(map_init(&m, 8, 1), 0);
	host_fail_allocations(0, 1);
	CHECK_EQUAL(map_bind(&m, &key, &value[0]), -1);
	CHECK(!map_find(&m, &key));
	map_destroy(&m);
}
