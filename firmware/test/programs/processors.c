/* SPDX-License-Identifier: BSD-2-Clause */
/* WHAMI and WRIPIR on four processors: each learns its number, and processor 2 alone is
 * interrupted. The exit code names what was wrong. */
#include "boot/palcode.h"
#include "platform/alpha/device.h"
#include "xkernel/atomic/word.h"
#include "xkernel/percpu/percpu.h"

enum { CORES = 4, CALLED = 2, WRONG_NUMBER = 1, WRONG_PROCESSOR, STILL_PENDING };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct {
	uint64_t word;
} arrived __attribute__((aligned(128))), called __attribute__((aligned(128))),
    wrong __attribute__((aligned(128)));

static uint64_t whami(void)
{
	register uint64_t number __asm__("$0");

	__asm__ volatile("call_pal %1"
			 : "=r"(number)
			 : "i"(PAL_WHAMI)
			 : "$1", "$16", "$22", "$23", "$24", "$25", "memory");
	return number;
}

static void wripir(uint64_t which)
{
	register uint64_t number __asm__("$16") = which;

	__asm__ volatile("call_pal %1"
			 : "+r"(number)
			 : "i"(PAL_WRIPIR)
			 : "$0", "$1", "$22", "$23", "$24", "$25", "memory");
}

static uint64_t pending(void)
{
	return device_read_quad(SYSTEM_INTERRUPT_PENDING) >> INTERRUPT_INTERPROCESSOR_BIT & 1;
}

static void arrive(uint64_t all)
{
	atomic_add(&arrived.word, 1);
	barrier_drain();
	while (atomic_look(&arrived.word) < all)
		;
	barrier_acquire();
}

void processor_main(uint64_t number)
{
	percpu_start(number);
	if (whami() != number)
		atomic_write(&wrong.word, WRONG_NUMBER);
	arrive(CORES);
	if (number == 0)
		wripir(CALLED);
	if (number == CALLED) {
		while (!pending())
			;
		atomic_write(&called.word, 1);
		barrier_drain();
	}
	while (!atomic_look(&called.word))
		;
	if (number != CALLED && pending())
		atomic_write(&wrong.word, WRONG_PROCESSOR);
	if (number == CALLED) {
		device_write_quad(SYSTEM_INTERPROCESSOR_ACKNOWLEDGE, 1 << number);
		if (pending())
			atomic_write(&wrong.word, STILL_PENDING);
	}
	arrive(2 * CORES);
}

int main(void)
{
	barrier_release();
	processors_released = 1;
	barrier_drain();
	processor_main(0);
	return (int)wrong.word;
}
