/* SPDX-License-Identifier: BSD-2-Clause */
/* Which edges of the protocols' code a run has taken, and about how often. The compiler calls
 * __sanitizer_cov_trace_pc in every basic block of what is built with it (gcc:
 * -fsanitize-coverage=trace-pc). */
#include <string.h>
#include <sys/mman.h>

#include "test/fuzz/fuzz.h"

uint8_t *cover_map;
static uint8_t seen[MAP_BYTES];
static uintptr_t previous;

__attribute__((no_sanitize("address", "undefined"), optimize("O2"))) void
__sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
	/* Relative: the loader puts the program elsewhere each time. */
	uintptr_t here = (uintptr_t)__builtin_return_address(0) - (uintptr_t)cover_init;
	uint8_t *count;

	if (!cover_map)
		return;
	here = (here * 0x9e3779b97f4a7c15) >> 48;
	count = &cover_map[(here ^ previous >> 1) % MAP_BYTES];
	previous = here;
	if (*count != 255)
		++*count;
}

void cover_init(void)
{
	cover_map =
	    mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void cover_clear(void)
{
	memset(cover_map, 0, MAP_BYTES);
}

/* 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more: a bit each. */
static uint8_t bucket(uint8_t count)
{
	static const uint8_t limits[] = { 1, 2, 3, 7, 15, 31, 127, 255 };
	int i = 0;

	if (!count)
		return 0;
	while (count > limits[i])
		i++;
	return (uint8_t)(1 << i);
}

int cover_is_new(void)
{
	int new = 0; /* 2: an edge; 1: another number of times */

	for (size_t i = 0; i < MAP_BYTES; i++) {
		uint8_t b = cover_map[i] ? bucket(cover_map[i]) : 0;

		if (b & ~seen[i]) {
			if (new < 2)
				new = seen[i] ? 1 : 2;
			seen[i] |= b;
		}
	}
	return new;
}

size_t cover_edges(void)
{
	size_t edges = 0;

	for (size_t i = 0; i < MAP_BYTES; i++)
		edges += seen[i] != 0;
	return edges;
}
