/* SPDX-License-Identifier: BSD-2-Clause */
#include "structures/probe.h"

#include "platform/marker.h"

#if PROBE_FORCE == FORCE_PREFILL
#include "platform/alpha/pal.h"
#define PREFILL(address) pal_prefill(address)
#else
#define PREFILL(address) ((void)(address))
#endif

typedef const volatile uint32_t __attribute__((may_alias)) word;

/* A load per word, eight a turn. Not in line: both passes are the same instructions. */
__attribute__((noinline)) static void load(word *w, uint32_t words)
{
	for (; words >= 8; words -= 8, w += 8) {
		(void)w[0];
		(void)w[1];
		(void)w[2];
		(void)w[3];
		(void)w[4];
		(void)w[5];
		(void)w[6];
		(void)w[7];
	}
	for (; words; words--, w++)
		(void)w[0];
}

void probe_load(const uint8_t *data, uint32_t bytes)
{
	static word few[9];
	word *w = (word *)(const void *)data;

	if (bytes < 4 * PROBE_WORDS || (uintptr_t)data % 4)
		return;
	if (PROBE_FORCE == FORCE_TOUCH) /* the last word of its cluster */
		(void)*(word *)(((uintptr_t)data | (PROBE_CLUSTER - 1)) & ~(uintptr_t)3);
	PREFILL(data);
	load(few, 9); /* the loop's own instructions are in their cache from here on */
	MARK(MARK_OPEN, WINDOW_PROBE);
	load(w, PROBE_WORDS);
	MARK(MARK_CLOSE, WINDOW_PROBE);
	load(w, PROBE_WORDS);
	MARK(MARK_EVENT, EVENT_PROBE_AGAIN);
}
