/* SPDX-License-Identifier: BSD-2-Clause */
/* Every processor of a machine counts under a lock, kind by kind, and with an atomic add. The exit
 * code names the first kind that loses a count: its number and one more, 99 for the atomic add. The
 * boot block's round_trips are the counts of each processor under each kind; its role is one more
 * than the number of the only kind that is wanted, as if the atomic add were the last; 0: all. */
#include "platform/alpha/device.h"
#include "platform/platform.h"
#include "xkernel/console.h"
#include "xkernel/lock/lock.h"
#include "xkernel/percpu/percpu.h"

enum { ADD = LOCK_KINDS, LOST_ADD = 99 };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct {
	uint64_t word;
} arrived __attribute__((aligned(128))), added __attribute__((aligned(128)));

static struct {
	struct lock lock;
	uint64_t count;
} counted[LOCK_KINDS];

static int is_wanted(int kind)
{
	return !plat_boot()->role || plat_boot()->role == (uint64_t)kind + 1;
}

#define COUNTS(kind)                                                                               \
	for (uint64_t n = is_wanted(kind) ? plat_boot()->round_trips : 0; n; n--) {                \
		lock_acquire(&counted[kind].lock, kind);                                           \
		counted[kind].count++;                                                             \
		lock_release(&counted[kind].lock, kind);                                           \
	}                                                                                          \
	all_arrive()

static void all_arrive(void)
{
	const uint64_t cores = device_read_quad(SYSTEM_CORE_COUNT);
	uint64_t mine = atomic_add(&arrived.word, 1), all = (mine + cores - 1) / cores * cores;

	barrier_drain();
	while (atomic_look(&arrived.word) < all)
		;
	barrier_acquire();
}

void processor_main(uint64_t number)
{
	percpu_start(number);
	all_arrive();
	COUNTS(LOCK_TAS);
	COUNTS(LOCK_TTAS);
	COUNTS(LOCK_BACKOFF);
	COUNTS(LOCK_TICKET);
	COUNTS(LOCK_MCS);
	COUNTS(LOCK_CLH);
	if (XK_MP_SYNC) {
		COUNTS(LOCK_SYNC);
	}
	for (uint64_t n = is_wanted(ADD) ? plat_boot()->round_trips : 0; n; n--)
		atomic_add(&added.word, 1);
	all_arrive();
}

int main(void)
{
	uint64_t all = plat_boot()->round_trips * device_read_quad(SYSTEM_CORE_COUNT);

	barrier_release();
	processors_released = 1;
	barrier_drain();
	processor_main(0);
	for (int kind = 0; kind < LOCK_SYNC + XK_MP_SYNC; kind++)
		if (counted[kind].count != (is_wanted(kind) ? all : 0))
			return kind + 1;
	return added.word == (is_wanted(ADD) ? all : 0) ? 0 : LOST_ADD;
}
