/* SPDX-License-Identifier: BSD-2-Clause */
/* Two processors take two locks, each in another order (test_parallel.py). */
#include "platform/platform.h"
#include "xkernel/lock/lock.h"
#include "xkernel/percpu/percpu.h"

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct lock locks[2];
static struct {
	uint64_t word;
} arrived __attribute__((aligned(128)));

/* One place for all, so that a test can name it. */
__attribute__((noinline)) static void circle(uint64_t number)
{
	lock_acquire(&locks[number], LOCK_TTAS);
	atomic_add(&arrived.word, 1);
	barrier_drain();
	while (atomic_look(&arrived.word) < 2)
		;
	lock_acquire(&locks[1 - number], LOCK_TTAS);
}

void processor_main(uint64_t number)
{
	percpu_start(number);
	circle(number);
}

int main(void)
{
	percpu_start(0);
	barrier_release();
	processors_released = 1;
	barrier_drain();
	circle(0);
	return 0;
}
