/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks and counts by several processors: nothing is lost, whatever the kind. */
#include "test/smp/processors.h"
#include "xkernel/atomic/ref.h"
#include "xkernel/lock/counting.h"

static uint64_t processors(void)
{
	return from_environment("PROCESSORS", 8);
}

static uint64_t times(void)
{
	return from_environment("TIMES", 2000) / processors();
}

static struct lock lock, other;
static uint64_t plain, second;

/* A lock of each kind, another inside it, released in either order. */
#define CASES_OF(kind, name)                                                                       \
	static void add_##name(unsigned number, void *arg)                                         \
	{                                                                                          \
		for (uint64_t n = times(); n; n--) {                                               \
			lock_acquire(&lock, kind);                                                 \
			plain++;                                                                   \
			lock_release(&lock, kind);                                                 \
		}                                                                                  \
	}                                                                                          \
	CASE(lock_##name##_exact)                                                                  \
	{                                                                                          \
		on_processors(processors(), add_##name, NULL);                                     \
		CHECK_EQUAL(plain, times() * processors());                                        \
	}                                                                                          \
	static void nest_##name(unsigned number, void *arg)                                        \
	{                                                                                          \
		for (uint64_t n = times() / 4; n; n--) {                                           \
			lock_acquire(&lock, kind);                                                 \
			plain++;                                                                   \
			lock_acquire(&other, kind);                                                \
			if (n & 1)                                                                 \
				lock_release(&lock, kind);                                         \
			second++;                                                                  \
			lock_release(&other, kind);                                                \
			if (!(n & 1))                                                              \
				lock_release(&lock, kind);                                         \
		}                                                                                  \
	}                                                                                          \
	CASE(lock_##name##_nested)                                                                 \
	{                                                                                          \
		on_processors(processors(), nest_##name, NULL);                                    \
		CHECK_EQUAL(plain, times() / 4 * processors());                                    \
		CHECK_EQUAL(second, plain);                                                        \
	}

CASES_OF(LOCK_TAS, tas)
CASES_OF(LOCK_TTAS, ttas)
CASES_OF(LOCK_BACKOFF, backoff)
CASES_OF(LOCK_TICKET, ticket)
CASES_OF(LOCK_MCS, mcs)
CASES_OF(LOCK_CLH, clh)

static struct counting_lock counting;

static void add_again(uint64_t depth)
{
	counting_acquire(&counting);
	plain++;
	if (depth)
		add_again(depth - 1);
	counting_release(&counting);
}

static void add_counting(unsigned number, void *arg)
{
	for (uint64_t n = times() / 4; n; n--)
		add_again(3);
}

CASE(lock_counting_reenters)
{
	on_processors(processors(), add_counting, NULL);
	CHECK_EQUAL(plain, times() / 4 * 4 * processors());
	CHECK_EQUAL(counting.depth, 0);
}

static uint64_t word;

static void add_word(unsigned number, void *arg)
{
	for (uint64_t n = times(); n; n--)
		atomic_add(&word, 3);
}

CASE(atomic_add_exact)
{
	on_processors(processors(), add_word, NULL);
	CHECK_EQUAL(word, 3 * times() * processors());
}

static void add_by_swaps(unsigned number, void *arg)
{
	for (uint64_t n = times(); n; n--) {
		uint64_t old = atomic_read(&word);

		while (!atomic_compare_swap(&word, old, old + 1))
			old = atomic_read(&word);
	}
}

CASE(atomic_compare_swap_exact)
{
	on_processors(processors(), add_by_swaps, NULL);
	CHECK_EQUAL(word, times() * processors());
}

static struct ref ref;
static uint64_t object, last;

/* Each has a reference; who gives the last one back sees what all others did. */
static void share(unsigned number, void *arg)
{
	for (uint64_t n = times(); n; n--) {
		ref_up(&ref);
		ref_down(&ref);
	}
	if (!ref_down(&ref)) {
		object++;
		last++;
	}
}

CASE(ref_ends_once)
{
	for (int round = 0; round < 20; round++) {
		ref.count = processors();
		on_processors(processors(), share, NULL);
		CHECK_EQUAL(ref.count, 0);
		CHECK_EQUAL(last, round + 1);
	}
}

/* Whoever waits is counted; a processor alone never waits. */
CASE(lock_waits_are_counted)
{
	uint64_t waits = 0, turns = 0;

	on_processors(1, add_tas, NULL);
	CHECK_EQUAL(percpu_of[0].lock_waits, 0);
	on_processors(processors(), add_mcs, NULL);
	for (int i = 0; i < XK_CPUS; i++) {
		waits += percpu_of[i].lock_waits;
		turns += percpu_of[i].lock_turns;
	}
	CHECK(waits <= turns);
}
