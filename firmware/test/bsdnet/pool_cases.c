/* SPDX-License-Identifier: BSD-2-Clause */
/* Pools: orders, shuffles, references; and what each order does to a stream of messages. */
#include <string.h>

#include "test/bsdnet/bench.h"

enum { BUFFERS = 32, BYTES = 128 };
static uint8_t area[BUFFERS * BYTES] __attribute__((aligned(BYTES)));
static struct pool pool;

static void start(enum pool_order order, uint64_t shuffle)
{
	struct pool_config config = { area, BUFFERS, order, shuffle, 0 };

	pool_start(&pool, &config, BYTES);
}

static void take_all(void *buffers[BUFFERS])
{
	uint32_t seen = 0;

	for (int i = 0; i < BUFFERS; i++) {
		buffers[i] = pool_take(&pool);
		CHECK(buffers[i]);
		memset(buffers[i], i, BYTES);
		seen |= 1u << ((uint8_t *)buffers[i] - area) / BYTES;
	}
	CHECK_EQUAL(seen, 0xffffffff);
	CHECK(!pool_take(&pool));
	CHECK_EQUAL(pool.free, 0);
}

CASE(pool_lifo_gives_what_was_freed_last)
{
	void *b[BUFFERS];

	start(POOL_LIFO, 0);
	take_all(b);
	CHECK(b[0] == area && b[31] == area + 31 * BYTES);
	pool_give(&pool, b[3]);
	pool_give(&pool, b[7]);
	CHECK(pool_take(&pool) == b[7]);
	CHECK(pool_take(&pool) == b[3]);
}

CASE(pool_fifo_gives_what_was_freed_first)
{
	void *b[BUFFERS];

	start(POOL_FIFO, 0);
	take_all(b);
	pool_give(&pool, b[3]);
	pool_give(&pool, b[7]);
	CHECK(pool_take(&pool) == b[3]);
	pool_give(&pool, b[9]);
	CHECK(pool_take(&pool) == b[7]);
	CHECK(pool_take(&pool) == b[9]);
	CHECK(!pool_take(&pool));
}

CASE(pool_scattered_gives_any)
{
	void *first[BUFFERS], *again[BUFFERS], *other[BUFFERS];

	start(POOL_SCATTERED, 5);
	take_all(first);
	start(POOL_SCATTERED, 5);
	take_all(again);
	start(POOL_SCATTERED, 6);
	take_all(other);
	CHECK(!memcmp(first, again, sizeof first));
	CHECK(memcmp(first, other, sizeof first));
	for (int i = 0; i < BUFFERS; i++)
		CHECK_EQUAL(pool_give(&pool, other[i]), 0);
	take_all(again);
}

CASE(pool_shuffle_is_of_its_seed)
{
	void *first[BUFFERS], *again[BUFFERS], *other[BUFFERS];

	start(POOL_LIFO, 5);
	take_all(first);
	start(POOL_LIFO, 5);
	take_all(again);
	start(POOL_LIFO, 6);
	take_all(other);
	CHECK(!memcmp(first, again, sizeof first));
	CHECK(memcmp(first, other, sizeof first));
}

/* A pool that has grown page by page lies somewhere, and its buffers follow each other. */
CASE(pool_place_is_of_its_seed)
{
	void *b[BUFFERS];
	uint32_t firsts = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct pool_config config = { area, BUFFERS, POOL_LIFO, 0, seed };
		uint32_t first;

		pool_start(&pool, &config, BYTES);
		take_all(b);
		first = (uint32_t)((uint8_t *)b[0] - area) / BYTES;
		for (uint32_t i = 0; i < BUFFERS; i++)
			CHECK(b[i] == area + (first + i) % BUFFERS * BYTES);
		firsts |= 1u << first;
	}
	CHECK(__builtin_popcount(firsts) > 8);
	start(POOL_LIFO, 0);
	CHECK(pool_take(&pool) == area);
}

CASE(pool_counts_references)
{
	void *b;

	start(POOL_LIFO, 0);
	b = pool_take(&pool);
	CHECK_EQUAL(pool_share(&pool, b), 0);
	CHECK_EQUAL(pool_give(&pool, b), 0);
	CHECK_EQUAL(pool.free, BUFFERS - 1);
	CHECK_EQUAL(pool_give(&pool, b), 0);
	CHECK_EQUAL(pool.free, BUFFERS);
	CHECK_EQUAL(pool_give(&pool, b), -1);
	CHECK_EQUAL(pool.free, BUFFERS);
	b = pool_take(&pool);
	for (int i = 1; i < 255; i++)
		CHECK_EQUAL(pool_share(&pool, b), 0);
	CHECK_EQUAL(pool_share(&pool, b), -1);
	for (int i = 0; i < 255; i++)
		CHECK_EQUAL(pool_give(&pool, b), 0);
}

/* How many clusters a reader meets in 30 messages, one at a time. */
static uint8_t met[CLUSTERS];
static uint32_t clusters_met;

static void note(const struct mbuf *m)
{
	size_t n = (size_t)(m->cluster - (uint8_t *)bench_config.clusters.area) / CLUSTER_BYTES;

	clusters_met += !met[n];
	met[n] = 1;
}

static void thirty_messages(enum pool_order order, uint64_t shuffle)
{
	static struct datagram_bytes d;

	bench_config.mbufs.order = order;
	bench_config.clusters.order = order;
	bench_config.clusters.shuffle = shuffle;
	bench_start();
	net.probe = note;
	for (uint32_t i = 0; i < 30; i++) {
		make_datagram(&d, PAPER_MESSAGE, i);
		datagram_arrives(&d);
		expect_datagram(&d);
	}
}

/* TR 93-04's rule of LIFO: the same few buffers for ever. */
CASE(messages_in_lifo_order_use_ten_clusters)
{
	thirty_messages(POOL_LIFO, 0);
	CHECK_EQUAL(clusters_met, 10);
}

CASE(messages_in_shuffled_lifo_order_use_ten_clusters)
{
	thirty_messages(POOL_LIFO, 99);
	CHECK_EQUAL(clusters_met, 10);
}

CASE(messages_in_fifo_order_use_all_clusters)
{
	thirty_messages(POOL_FIFO, 0);
	CHECK_EQUAL(clusters_met, CLUSTERS);
}

CASE(messages_in_scattered_order_use_most_clusters)
{
	thirty_messages(POOL_SCATTERED, 3);
	CHECK(clusters_met > CLUSTERS / 2 && clusters_met < CLUSTERS);
}
