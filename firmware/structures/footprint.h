/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that a kernel or a server reads at a scheduling point, besides what its own code reads: it
 * stands for the state of a larger system. bsd and hpux read it in the software interrupt, mach in
 * NetworkInput: lines of all its pages, and the next time the lines after them. */
#ifndef STRUCTURES_FOOTPRINT_H
#define STRUCTURES_FOOTPRINT_H

#include <stdint.h>

#ifndef FOOTPRINT_PAGES
#define FOOTPRINT_PAGES 0 /* of 4 KB; 0: none */
#endif
#ifndef FOOTPRINT_LINES
#define FOOTPRINT_LINES 4 /* of 32 bytes, of each page */
#endif

enum { FOOTPRINT_PAGE = 4096, FOOTPRINT_LINE = 32 };

static inline void footprint_read(void)
{
	static uint8_t state[FOOTPRINT_PAGES ? FOOTPRINT_PAGES : 1][FOOTPRINT_PAGE]
	    __attribute__((aligned(FOOTPRINT_PAGE)));
	static unsigned turn;

	if (!FOOTPRINT_PAGES)
		return;
	for (int page = 0; page < FOOTPRINT_PAGES; page++)
		for (int n = 0; n < FOOTPRINT_LINES; n++) {
			unsigned at = (turn * FOOTPRINT_LINES + (unsigned)n) * FOOTPRINT_LINE;

			(void)*(const volatile uint64_t *)&state[page][at % FOOTPRINT_PAGE];
		}
	turn++;
}
#endif
