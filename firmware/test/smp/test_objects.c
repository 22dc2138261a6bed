/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages, heap and maps by several processors. */
#include <string.h>

#include "test/smp/processors.h"
#include "xkernel/map/map.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/message/msg.h"

enum { PROCESSORS = 8, TURNS = 300 };

/* Each gets blocks, fills them with its number and finds it there. */
static void allocate(unsigned number, void *arg)
{
	for (int turn = 0; turn < TURNS; turn++) {
		uint8_t *blocks[4];

		for (int i = 0; i < 4; i++) {
			blocks[i] = xk_allocate(48u << i);
			CHECK(blocks[i]);
			memset(blocks[i], (int)number, 48u << i);
		}
		for (int i = 0; i < 4; i++) {
			CHECK(blocks[i][0] == number && blocks[i][(48u << i) - 1] == number);
			xk_free(blocks[i]);
		}
	}
}

CASE(heap_by_eight)
{
	on_processors(PROCESSORS, allocate, NULL);
}

/* A message that all share; each pops, pushes in front of it, cuts and joins its own view. */
static struct msg template;

static void use_template(unsigned number, void *arg)
{
	for (int turn = 0; turn < TURNS; turn++) {
		struct msg mine, head;
		uint8_t bytes[700];

		msg_share(&mine, &template);
		CHECK(msg_pop(&mine, 8));
		memset(msg_push(&mine, 20), (int)number, 20);
		CHECK(!msg_break(&mine, &head, 120));
		CHECK(!msg_join(&head, &mine));
		CHECK_EQUAL(msg_bytes(&head), 612);
		msg_copy_out(&head, bytes);
		CHECK(bytes[0] == number && bytes[19] == number);
		CHECK(bytes[20] == 8 && bytes[611] == (uint8_t)599);
		msg_destroy(&head);
		msg_destroy(&mine);
	}
}

CASE(message_shared_by_eight)
{
	uint8_t bytes[600];

	for (int i = 0; i < 600; i++)
		bytes[i] = (uint8_t)i;
	CHECK(!msg_init_copy(&template, bytes, sizeof bytes));
	on_processors(PROCESSORS, use_template, NULL);
	CHECK_EQUAL(ref_read(&template.front->refs), 1);
	msg_destroy(&template);
}

/* Messages that one makes and another frees: pieces wander from processor to processor. */
static struct msg passed[PROCESSORS];
static uint64_t full[PROCESSORS];

static void pass_on(unsigned number, void *arg)
{
	unsigned next = (number + 1) % PROCESSORS;

	for (int turn = 0; turn < TURNS; turn++) {
		struct msg m;

		CHECK(!msg_init_copy(&m, &turn, sizeof turn));
		while (atomic_look(&full[next]))
			atomic_wait(&full[next], 1);
		passed[next] = m;
		barrier_release();
		atomic_publish(&full[next], 1);
		while (!atomic_look(&full[number]))
			atomic_wait(&full[number], 0);
		CHECK(!memcmp(passed[number].head, &turn, sizeof turn));
		msg_destroy(&passed[number]);
		atomic_publish(&full[number], 0);
	}
}

CASE(message_passed_round)
{
	on_processors(PROCESSORS, pass_on, NULL);
}

static struct map map;
static uint64_t values[PROCESSORS * 16];

static int look(const uint64_t *key, void *value, void *arg)
{
	uint64_t other = *key;

	CHECK(value == &values[other]);
	CHECK(map_find(&map, &other) == value); /* the visitor has the lock already */
	return MAP_CONTINUE;
}

/* Each binds and unbinds keys of its own, looks up what all have, and visits all. */
static void use_map(unsigned number, void *arg)
{
	for (uint64_t turn = 0; turn < TURNS / 4; turn++) {
		uint64_t key = number * 16 + 1 + turn % 15, shared = turn % PROCESSORS * 16;

		CHECK(map_resolve(&map, &shared, 1) == &values[shared]);
		CHECK(!map_bind(&map, &key, &values[key]));
		CHECK(map_resolve(&map, &key, 1) == &values[key]);
		map_for_each(&map, look, NULL);
		CHECK(map_unbind(&map, &key) == &values[key]);
		CHECK(!map_resolve(&map, &key, 1));
	}
}

CASE(map_by_eight)
{
	CHECK(!map_init(&map, 16, 1));
	for (uint64_t key = 0; key < PROCESSORS * 16; key += 16)
		CHECK(!map_bind(&map, &key, &values[key]));
	on_processors(PROCESSORS, use_map, NULL);
	CHECK_EQUAL(map.entries, PROCESSORS);
}

static void only_look(unsigned number, void *arg)
{
	for (uint64_t turn = 0; turn < TURNS; turn++) {
		uint64_t shared = turn % PROCESSORS * 16;

		CHECK(map_resolve(&map, &shared, 1) == &values[shared]);
	}
}

/* The same without binding: right without locks too (XK_MP_MAPLOCK). */
CASE(map_read_by_eight)
{
	CHECK(!map_init(&map, 16, 1));
	for (uint64_t key = 0; key < PROCESSORS * 16; key += 16)
		CHECK(!map_bind(&map, &key, &values[key]));
	on_processors(PROCESSORS, only_look, NULL);
}
