/* SPDX-License-Identifier: BSD-2-Clause */
/* Every processor counts under the lock of the hand-in, and looks whether it is alone there. The
 * exit code is 0 if no count is lost. */
#include "platform/alpha/device.h"
#include "platform/platform.h"
#include "xkernel/console.h"
#include "xkernel/percpu/percpu.h"

#include "lock.c"

enum { LOST = 1, NOT_ALONE = 2 };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct {
	uint64_t word;
} arrived __attribute__((aligned(128)));

static struct spin spin __attribute__((aligned(128)));

static struct {
	uint64_t counted, inside, crowded;
} shared __attribute__((aligned(128)));

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
	volatile uint64_t *inside = &shared.inside;

	percpu_start(number);
	all_arrive();
	for (uint64_t n = plat_boot()->round_trips; n; n--) {
		spin_take(&spin, (unsigned)number);
		shared.crowded += (*inside)++ != 0;
		shared.counted++;
		(*inside)--;
		spin_give(&spin, (unsigned)number);
	}
	all_arrive();
}

int main(void)
{
	uint64_t all = plat_boot()->round_trips * device_read_quad(SYSTEM_CORE_COUNT);

	barrier_release();
	processors_released = 1;
	barrier_drain();
	processor_main(0);
	console_number(shared.counted);
	console_text(shared.crowded ? " counted, two at once\n" : " counted, one at a time\n");
	return shared.counted != all ? LOST : shared.crowded ? NOT_ALONE : 0;
}
