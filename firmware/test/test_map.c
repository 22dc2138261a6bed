/* SPDX-License-Identifier: BSD-2-Clause */
#include "platform/host/host.h"
#include "test/case.h"
#include "xkernel/map.h"

static char value[256];

static void find_bound(void)
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

static void cache_forgets_unbound(void)
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

static int count(const uint64_t *key, void *v, void *arg)
{
	(void)key;
	(void)v;
	++*(int *)arg;
	return MAP_CONTINUE;
}

static int remove_odd(const uint64_t *key, void *v, void *arg)
{
	(void)v;
	++*(int *)arg;
	return MAP_CONTINUE | (key[0] & 1 ? MAP_REMOVE : 0);
}

static int stop_at_third(const uint64_t *key, void *v, void *arg)
{
	(void)key;
	(void)v;
	return ++*(int *)arg < 3 ? MAP_CONTINUE : 0;
}

static size_t listed_buckets(const struct map *m)
{
	size_t n = 0;

	for (const struct map_bucket *b = m->used; b; b = b->next_used)
		n++;
	return n;
}

static void traversal(void)
{
	struct map m;
	int n = 0;

	CHECK_EQUAL(map_init(&m, 4, 1), 0);
	for (uint64_t i = 0; i < 100; i++)
		CHECK_EQUAL(map_bind(&m, &i, &value[i]), 0);
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
static void lazy_bucket_list(void)
{
	struct map m;
	int n = 0;

	CHECK_EQUAL(map_init(&m, 128, 1), 0);
	for (uint64_t i = 0; i < 10; i++)
		CHECK_EQUAL(map_bind(&m, &i, &value[i]), 0);
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
static int churn(const uint64_t *key, void *v, void *arg)
{
	struct churn *c = arg;
	int n = 0;

	(void)v;
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

static void visitor_changes_the_map(void)
{
	struct map m;
	struct churn c = { &m, 100, 0 };

	CHECK_EQUAL(map_init(&m, 16, 1), 0);
	for (uint64_t i = 0; i < 50; i++)
		CHECK_EQUAL(map_bind(&m, &i, &value[i]), 0);
	map_for_each(&m, churn, &c);
	CHECK(c.visited >= 50);
	map_destroy(&m);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

static void no_memory(void)
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

const struct test_case map_cases[] = {
	{ "map_find_bound", find_bound },
	{ "map_cache_forgets_unbound", cache_forgets_unbound },
	{ "map_traversal", traversal },
	{ "map_lazy_bucket_list", lazy_bucket_list },
	{ "map_visitor_changes_the_map", visitor_changes_the_map },
	{ "map_no_memory", no_memory },
	{ 0 },
};
