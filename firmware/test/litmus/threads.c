/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a litmus test on threads, many times beside each other, and prints each outcome that came
 * out: a line, as `r=0 s=1 x=1 y=1`. Usage: litmus TIMES */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/litmus/litmus.h"

enum { CELLS = 48, REGISTERS = 8, MOST = 100000 };

static uint64_t (*variables)[CELLS] __attribute__((aligned(128)));
static uint64_t (*registers)[REGISTERS];
static unsigned times;
static pthread_barrier_t start;

static void *run(void *arg)
{
	void (*processor)(uint64_t *, uint64_t *) = litmus_processors[(uintptr_t)arg];

	pthread_barrier_wait(&start);
	for (unsigned n = 0; n < times; n++)
		processor(variables[n], registers[n]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[8];

	times = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
	if (times > MOST || litmus_count > 8)
		return 2;
	variables =
	    aligned_alloc(128, sizeof *variables * times + 128 - sizeof *variables * times % 128);
	registers = calloc(times, sizeof *registers);
	if (!variables || !registers || pthread_barrier_init(&start, NULL, litmus_count))
		return 2;
	for (unsigned n = 0; n < times; n++)
		for (unsigned i = 0; i < CELLS; i++)
			variables[n][i] = 0;
	for (uintptr_t i = 0; i < litmus_count; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			return 2;
	for (unsigned i = 0; i < litmus_count; i++)
		pthread_join(threads[i], NULL);
	for (unsigned n = 0; n < times; n++) {
		for (unsigned i = 0; i < litmus_result_count; i++) {
			const struct litmus_result *s = &litmus_result[i];

			printf("%s=%lu ", s->name,
			       (unsigned long)(s->variable ? variables[n][s->at]
							   : registers[n][s->at]));
		}
		printf("\n");
	}
	return 0;
}
