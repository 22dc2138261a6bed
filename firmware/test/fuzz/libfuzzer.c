/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer's side: grows programs by the coverage of the protocols' code.
 *
 * libFuzzer runs inputs one after the other in one process; this kernel has state by design, so
 * each runs in a child forked from the machine just started. The compiler's counters, which
 * libFuzzer looks at, come back through shared memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "test/fuzz/fuzz.h"

/* The linker's, of -fsanitize-coverage=inline-8bit-counters: all objects that were traced. */
extern uint8_t __start___sancov_cntrs[], __stop___sancov_cntrs[];
static uint8_t *shared;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t limit);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t limit, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
				 size_t two_size, uint8_t *out, size_t limit, unsigned seed);

static size_t counters(void)
{
	return (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs);
}

static void share_counters(void)
{
	memcpy(shared, __start___sancov_cntrs, counters());
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	shared = mmap(NULL, counters(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	fuzz_start();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program p = program_from(data, size);

	if (run_in_child(&p, share_counters))
		abort(); /* libFuzzer keeps the input */
	memcpy(__start___sancov_cntrs, shared, counters());
	return 0;
}

static size_t put(const struct program *p, uint8_t *data, size_t limit)
{
	size_t size = program_bytes(p);

	if (size > limit)
		size = limit;
	memcpy(data, p, size);
	return size;
}

/* Mostly ours, which knows what a step is; now and then libFuzzer's, which knows what was compared.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t limit, unsigned seed)
{
	uint64_t state = seed;
	struct program p = program_from(data, size);

	if (seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, limit);
	for (unsigned n = 1 + seed / 8 % 6; n; n--)
		program_mutate(&p, &p, &state);
	return put(&p, data, limit);
}

/* One's beginning and the other's end. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
				 size_t two_size, uint8_t *out, size_t limit, unsigned seed)
{
	struct program p = program_from(one, one_size), other = program_from(two, two_size);

	p.steps = p.steps ? (uint8_t)(seed % p.steps) : 0;
	for (int at = p.steps; at < other.steps && p.steps < MAX_STEPS; at++)
		memcpy(p.step[p.steps++], other.step[at], STEP_BYTES);
	return put(&p, out, limit);
}
