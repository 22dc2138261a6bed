/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks and counts by several processors: nothing is lost, whatever the kind. */
#include <sched.h>

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

/* While the lock is held: or each thread of the host would do all its turns in one time slice. */
static void let_others_wait(uint64_t n, uint64_t every)
{
	if (n % every == 0)
		sched_yield();
}

/* How often a lock was found taken. */
static uint64_t waits(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < XK_CPUS; i++)
		sum += percpu_of[i].lock_waits;
	return sum;
}

/* With a lock of a kind; and with another inside it, released in either order. */
#define KIND(name, kind)                                                                           \
	static void add_##name(unsigned number, void *arg)                                         \
	{                                                                                          \
		uint64_t every = from_environment("EVERY", 64);                                    \
                                                                                                   \
		for (uint64_t n = times(); n; n--) {                                               \
			lock_acquire(&lock, kind);                                                 \
			plain++;                                                                   \
			let_others_wait(n, every);                                                 \
			lock_release(&lock, kind);                                                 \
		}                                                                                  \
	}                                                                                          \
	static void nest_##name(unsigned number, void *arg)                                        \
	{                                                                                          \
		for (uint64_t n = times(); n; n--) {                                               \
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
	}

KIND(tas, LOCK_TAS)
KIND(ttas, LOCK_TTAS)
KIND(backoff, LOCK_BACKOFF)
KIND(ticket, LOCK_TICKET)
KIND(mcs, LOCK_MCS)
KIND(clh, LOCK_CLH)
KIND(mutex, LOCK_MUTEX) /* on the sync bus, with XK_MP_SYNC */

static void exact(void (*add)(unsigned number, void *arg))
{
	on_processors(processors(), add, NULL);
	CHECK_EQUAL(plain, times() * processors());
	CHECK(waits());
}

static void nested(void (*nest)(unsigned number, void *arg))
{
	on_processors(processors(), nest, NULL);
	CHECK_EQUAL(plain, times() * processors());
	CHECK_EQUAL(second, plain);
}

CASE_IS(lock_tas_exact, exact(add_tas))
CASE_IS(lock_tas_nested, nested(nest_tas))
CASE_IS(lock_ttas_exact, exact(add_ttas))
CASE_IS(lock_ttas_nested, nested(nest_ttas))
CASE_IS(lock_backoff_exact, exact(add_backoff))
CASE_IS(lock_backoff_nested, nested(nest_backoff))
CASE_IS(lock_ticket_exact, exact(add_ticket))
CASE_IS(lock_ticket_nested, nested(nest_ticket))
CASE_IS(lock_mcs_exact, exact(add_mcs))
CASE_IS(lock_mcs_nested, nested(nest_mcs))
CASE_IS(lock_clh_exact, exact(add_clh))
CASE_IS(lock_clh_nested, nested(nest_clh))
CASE_IS(lock_mutex_exact, exact(add_mutex))
CASE_IS(lock_mutex_nested, nested(nest_mutex))

static uint64_t turn;

static void wait_for_turn(uint64_t n)
{
	while (atomic_look(&turn) != n)
		atomic_wait(&turn, n - 1);
}

/* Processor 0 finds the lock free and leaves it to 1, which leaves it free: nodes go one way. */
static void hand_over(unsigned number, void *arg)
{
	for (uint64_t n = 0; n < times(); n++) {
		if (number)
			wait_for_turn(2 * n + 1);
		lock_acquire(&lock, LOCK_CLH);
		if (!number) {
			atomic_publish(&turn, 2 * n + 1);
			while (atomic_read(&lock.word) == lock.second)
				sched_yield();
		}
		lock_release(&lock, LOCK_CLH);
		if (number)
			atomic_publish(&turn, 2 * n + 2);
		else
			wait_for_turn(2 * n + 2);
	}
}

CASE(lock_clh_nodes_come_back)
{
	on_processors(2, hand_over, NULL);
	CHECK_EQUAL(turn, 2 * times());
}

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

/* A processor alone never waits. */
CASE(lock_alone_never_waits)
{
	on_processors(1, add_tas, NULL);
	CHECK_EQUAL(waits(), 0);
}
