/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer's side: grows programs by the coverage of the protocols' code.
 *
 * libFuzzer runs inputs one after the other in one process; this kernel has state by design, so
 * each runs in a child forked from the machine just started. A server forks them, begun before
 * libFuzzer has a thread or a corpus: a fork costs what the forking process has in memory, and the
 * leak sanitizer reads all of it. The input and the compiler's counters, which libFuzzer looks at,
 * are in shared memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/fuzz/fuzz.h"

/* The linker's, of -fsanitize-coverage=inline-8bit-counters: all objects that were traced. */
extern uint8_t __start___sancov_cntrs[], __stop___sancov_cntrs[];

static struct shared {
	struct program program;
	int status; /* of the child that ran it */
	uint8_t counters[];
} * shared;
static int orders, answers; /* pipes to and from the server, a byte for each program */

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
	memcpy(shared->counters, __start___sancov_cntrs, counters());
}

/* libFuzzer's alarm interrupts whoever waits. */
static int next_byte(int pipe_end, char *byte)
{
	ssize_t got;

	do
		got = read(pipe_end, byte, 1);
	while (got < 0 && errno == EINTR);
	return got == 1;
}

static void serve(int from, int to)
{
	char byte;

	fuzz_start();
	while (next_byte(from, &byte)) {
		shared->status = run_in_child(&shared->program, share_counters);
		if (write(to, &byte, 1) != 1)
			break;
	}
	_exit(0); /* libFuzzer has gone */
}

static void or_end(int works, const char *what)
{
	if (!works) {
		perror(what);
		exit(2);
	}
}

int LLVMFuzzerInitialize(int *, char ***)
{
	int order[2], answer[2];

	shared = mmap(NULL, sizeof *shared + counters(), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	or_end(shared != MAP_FAILED, "mmap");
	or_end(!pipe(order) && !pipe(answer), "pipe");
	pid_t server = fork();
	or_end(server >= 0, "fork");
	if (!server) {
		close(order[1]);
		close(answer[0]);
		serve(order[0], answer[1]);
	}
	close(order[0]);
	close(answer[1]);
	orders = order[1];
	answers = answer[0];
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char byte = 0;

	shared->program = program_from(data, size);
	or_end(write(orders, &byte, 1) == 1 && next_byte(answers, &byte), "the fuzzer's server");
	if (shared->status)
		abort(); /* libFuzzer keeps the input */
	memcpy(__start___sancov_cntrs, shared->counters, counters());
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
