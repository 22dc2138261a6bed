/* SPDX-License-Identifier: BSD-2-Clause */
/* Processors that the boot block's role names, a bit each, find a bug in their programs at about
 * the same time (test_parallel.py); the others go on for ever. */
#include "boot/palcode.h"
#include "platform/platform.h"
#include "xkernel/atomic/word.h"
#include "xkernel/percpu/percpu.h"

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

void processor_main(uint64_t number)
{
	percpu_start(number);
	if (plat_boot()->role >> number & 1)
		__asm__ volatile("call_pal %0" : : "i"(PAL_BUGCHK) : "memory");
	for (;;)
		;
}

int main(void)
{
	barrier_release();
	processors_released = 1;
	barrier_drain();
	processor_main(0);
	return 0;
}
