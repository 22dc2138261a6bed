/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/kern/pollute.h"

#include <stdint.h>

#if BSD_POLLUTER || BSD_NEIGHBOURS
enum {
	BLOCK = 32, /* of both caches */
	CACHE = 8192,
	BCACHE = 2 << 20,
	STRIDE = 8 * BLOCK,
	CODE = BSD_POLLUTER * 1024 / BLOCK, /* blocks */
};

static uint8_t others[BSD_POLLUTER ? CACHE : 1] __attribute__((aligned(BLOCK)));

static void touch(const volatile uint8_t *from, const volatile uint8_t *to, uint32_t stride)
{
	for (; from < to; from += stride)
		(void)*from;
}

#ifdef __alpha__
extern uint8_t _start[], bss_end[]; /* link.ld */

/* A branch in each block, to the next one. Behind the blocks come others that nobody runs, so that
 * 4 KB and 8 KB move the image's data alike. */
static __attribute__((noinline)) void run_others(void)
{
	__asm__ volatile(".balign 32\n"
			 "\t.rept %c0\n"
			 "\tbr $31,1f\n"
			 "\t.fill 7,4,0x47ff041f\n"
			 "1:\n"
			 "\t.endr\n"
			 "\tbr $31,2f\n"
			 "\t.fill %c1,4,0x47ff041f\n"
			 "2:"
			 :
			 : "i"(CODE), "i"((CACHE - CODE * BLOCK) / 4));
}
#else
static uint8_t _start[1], *bss_end = _start;

static void run_others(void)
{
}
#endif

void pollute(void)
{
	if (BSD_POLLUTER) {
		run_others();
		touch(others, others + BSD_POLLUTER * 1024, BLOCK);
	}
	if (BSD_NEIGHBOURS)
		touch(_start + BCACHE, bss_end + BCACHE, STRIDE);
}
#endif
