/* SPDX-License-Identifier: BSD-2-Clause */
/* The study's probe on buffers whose state is made by hand: all in the cache, all displaced by
 * clean or by dirty lines; 46 lines or 47; with the page's TLB entry or without. For hp720, and
 * with the switches below for machines that have less. */
#include "kernel/user/calls.h"
#include "structures/probe.h"

#ifndef PROBES_CACHE
#define PROBES_CACHE (256 * 1024) /* bytes of the D-cache */
#endif
#ifndef PROBES_ENTRIES
#define PROBES_ENTRIES 128 /* of the data TLB: none has more */
#endif
#ifndef PROBES_OFFSETS
#define PROBES_OFFSETS 3 /* places of a buffer's first byte in its line */
#endif

enum {
	PAGE = 4096,
	CACHE = PROBES_CACHE,
	ENTRIES = PROBES_ENTRIES,
	BYTES = 4 * PROBE_WORDS,
	OTHER_LINE = 2048, /* in its page; nothing of a buffer lies there */
};

enum victims { IN_CACHE, CLEAN, DIRTY };

static void load_all(const uint8_t *from)
{
	for (uint32_t n = 0; n < BYTES; n += 4)
		(void)*(const volatile uint32_t *)(const void *)(from + n);
}

static void store_all(uint8_t *to)
{
	for (uint32_t n = 0; n < BYTES; n += 4)
		*(volatile uint32_t *)(void *)(to + n) = n;
}

/* Other pages take all entries of the TLB. */
static void forget_pages(const uint8_t *others)
{
	for (uint32_t n = 0; n < ENTRIES; n++)
		(void)*(const volatile uint64_t *)(const void *)(others + n * PAGE + OTHER_LINE);
}

static void one(uint8_t *buffer, const uint8_t *others, enum victims victims, int forget)
{
	load_all(buffer);
	if (victims == CLEAN)
		load_all(buffer + CACHE);
	if (victims == DIRTY)
		store_all(buffer + CACHE);
	if (forget)
		forget_pages(others);
	probe_load(buffer, BYTES);
}

static void run(uint64_t argument)
{
	uint8_t *memory = user_memory(4 * CACHE), *others = user_memory(ENTRIES * PAGE);

	(void)argument;
	if (!memory || !others) {
		user_print("probes: no memory\n");
		user_exit(1);
	}
	one(memory, others, IN_CACHE, 0); /* the code comes into its cache */
	for (uint32_t offset = 8; offset <= 8 * PROBES_OFFSETS; offset += 8)
		for (int forget = 0; forget < 2; forget++)
			for (enum victims v = IN_CACHE; v <= DIRTY; v++)
				one(memory + offset, others, v, forget);
	user_print("probes: done\n");
}

const struct program first_program = { .name = "probes", .entry = run, .priority = PRIORITY_USER };
