/* SPDX-License-Identifier: BSD-2-Clause */
/* Touches pages of its own in turn, round after round. The last round lies in window 4: its TLB
 * misses say how many entries there are, and its ticks what a refill costs. */
#include "kernel/user/calls.h"
#include "machine.h"
#include "platform/marker.h"
#include "platform/platform.h"

#ifndef PAGES
#define PAGES 8
#endif

enum { PAGE = 1 << MACHINE_PAGE_SHIFT, ROUNDS = 4, LINE = 32 };

/* A word of each, in a line of its own, so that no two share a line of the D-cache. In line: a call
 * would load the function's address, from one more page. */
__attribute__((always_inline)) static inline void touch(const uint8_t *first)
{
	const uint8_t *at = first;

	for (uint32_t n = 0; n < PAGES; n++, at += PAGE + LINE)
		(void)*(const volatile uint64_t *)at;
}

static void run(uint64_t argument)
{
	const uint8_t *memory = user_memory((PAGES + 1) * (PAGE + LINE));

	(void)argument;
	for (int round = 1; memory && round < ROUNDS; round++)
		touch(memory);
	MARK(MARK_OPEN, WINDOW_PROBE);
	touch(memory);
	MARK(MARK_CLOSE, WINDOW_PROBE);
	user_print(memory ? "pages: touched\n" : "pages: no memory\n");
}

const struct program first_program = { .name = "pages", .entry = run, .priority = PRIORITY_USER };
