/* SPDX-License-Identifier: BSD-2-Clause */
/* The cores of dec3000-mp count in turn. One of them spoils the limit. */
#include "xkernel/atomic/word.h"
#include "xkernel/percpu/percpu.h"

enum { CORES = 8, SPOILS = 5 };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct {
	uint64_t word;
} turn __attribute__((aligned(128))), limit __attribute__((aligned(128)));

void processor_main(uint64_t number)
{
	percpu_start(number);
	while (atomic_look(&turn.word) != number)
		;
	if (number == SPOILS)
		limit.word = 0;
	barrier_release();
	atomic_write(&turn.word, number + 1);
	while (atomic_look(&turn.word) != CORES)
		;
}

int main(void)
{
	limit.word = CORES;
	barrier_release();
	processors_released = 1;
	barrier_drain();
	processor_main(0);
	return limit.word ? 0 : 1;
}
