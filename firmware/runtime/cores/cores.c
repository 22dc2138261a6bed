/* SPDX-License-Identifier: BSD-2-Clause */
/* The cores of a machine that run one program (mcpi_cores.h). */
#include "assert.h"
#include "mcpi_cores.h"
#include "runtime/cores/started.h"
#include "xkernel/atomic/word.h"

/* Its number goes up when core 0 has filled in the rest. */
static struct {
	void (*function)(void *);
	void *argument;
	uint64_t number;
} job __attribute__((aligned(MCPI_BLOCK)));

static struct {
	uint64_t word;
} done __attribute__((aligned(MCPI_BLOCK))), arrived __attribute__((aligned(MCPI_BLOCK))),
    passed __attribute__((aligned(MCPI_BLOCK)));

int mcpi_core(void)
{
	return (int)this_core();
}

static inline uint64_t cores(void)
{
	static uint64_t count; /* core 0 asks before others run */

	if (!count)
		count = all_cores();
	return count;
}

int mcpi_cores(void)
{
	return (int)cores();
}

void mcpi_on_all_cores(void (*function)(void *), void *argument)
{
	const uint64_t others = cores() - 1;
	static int calls; /* core 0's own */

	assert(mcpi_core() == 0 && !calls);
	calls = 1;
	job.function = function;
	job.argument = argument;
	atomic_write(&done.word, 0);
	barrier_release();
	atomic_publish(&job.number, job.number + 1);
	start_others();
	barrier_drain();
	function(argument);
	while (atomic_look(&done.word) < others)
		;
	barrier_acquire();
	calls = 0;
}

/* Entry of every core but core 0, from start.S. */
void processor_main(void)
{
	for (uint64_t next = 1;; next++) {
		while (atomic_look(&job.number) < next)
			;
		barrier_acquire();
		job.function(job.argument);
		barrier_release();
		atomic_add(&done.word, 1);
		barrier_drain();
	}
}

/* Calls nothing, so that its return address stays where a report looks for it. */
void mcpi_barrier(void)
{
	const uint64_t round = atomic_look(&passed.word);

	barrier_release();
	if (atomic_add(&arrived.word, 1) < cores()) {
		barrier_drain();
		while (atomic_look(&passed.word) == round)
			;
	} else {
		atomic_write(&arrived.word, 0);
		barrier_release();
		atomic_publish(&passed.word, round + 1);
		barrier_drain();
	}
	barrier_acquire();
}
