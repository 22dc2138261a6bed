/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the chip's classifier (docs/reference/lance.md): one for each pattern that a path has
 * asked for. They stay as long as the machine runs. */
#include "protocols/lance/entries.h"

#include "platform/alpha/device.h"
#include "platform/platform.h"
#include "protocols/lance/layout.h"
#include "xkernel/memory/memory.h"

#if LANCE_CLASSIFIER /* else not a byte of an image */

enum { ENTRIES = 8, WORDS = 63, PLACES = WORDS + 1, SPARSE = 8 };

/* Word n of a frame matches if it has the value's bits wherever the mask has ones. */
struct entry {
	uint32_t count;
	uint32_t words[WORDS]; /* mask 16, value 16 */
};

struct lance_entry_counts lance_entry_counts;
static struct entry entries[ENTRIES];
static uint32_t used;

/* The pattern's quadwords begin two bytes before the frame's first word. -1: no entry has it. */
static int set(struct entry *e, const struct path_pattern *pattern)
{
	memset(e, 0, sizeof *e);
	for (uint32_t n = 1; n < 4 * pattern->quads; n++) {
		uint32_t shift = 16 * (n % 4);
		uint32_t mask = pattern->masks[n / 4] >> shift & 0xffff;

		if (!mask)
			continue;
		if (n > WORDS)
			return -1;
		e->words[n - 1] = mask << 16 | (pattern->first[n / 4] >> shift & mask);
		e->count = n;
	}
	return e->count ? 0 : -1;
}

/* Can a frame match both? */
static int overlap(const struct entry *a, const struct entry *b)
{
	for (uint32_t n = 0; n < WORDS; n++) {
		uint32_t both = a->words[n] >> 16 & b->words[n] >> 16;

		if ((a->words[n] ^ b->words[n]) & both)
			return 0;
	}
	return 1;
}

/* The count comes last: the chip takes an entry out while its words change. */
static void write_entry(uint32_t number, const struct entry *e)
{
	uint64_t at = IOASIC_CLASSIFIER + SPARSE * PLACES * number;

	for (uint32_t n = 0; n < e->count; n++)
		device_write_long(at + SPARSE * n, e->words[n]);
	plat_memory_barrier();
	device_write_long(at + SPARSE * (PLACES - 1), e->count);
}

int entries_id(const struct path_pattern *pattern)
{
	struct entry *new = &entries[used], checked;

	if (set(&checked, pattern))
		return XK_ERROR;
	for (uint32_t n = 0; n < used; n++) {
		if (!memcmp(&entries[n], &checked, sizeof checked))
			return (int)n + 1;
		if (overlap(&entries[n], &checked)) {
			lance_entry_counts.overlap++;
			return XK_REFUSED;
		}
	}
	if (used == ENTRIES) {
		lance_entry_counts.none_left++;
		return XK_REFUSED;
	}
	*new = checked;
	write_entry(used, new);
	return (int)++used;
}
#endif
