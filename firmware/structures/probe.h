/* SPDX-License-Identifier: BSD-2-Clause */
/* TR 93-04's instrument: the words of a large mbuf are loaded, just before the reader copies them.
 * Window 4 is open meanwhile. Then the same loads are done again, to know what they take when all
 * bytes are in the cache; EVENT_PROBE_AGAIN is their end. */
#ifndef STRUCTURES_PROBE_H
#define STRUCTURES_PROBE_H

#include <stdint.h>

#ifndef PROBE
#define PROBE 0 /* 1: large mbufs are probed */
#endif

#ifndef PROBE_FORCE
#define PROBE_FORCE 0 /* how the mbuf's page gets its TLB entry before the loads that are timed */
#endif
#define FORCE_TOUCH 1	/* a word of the page is loaded, not of the mbuf's own lines */
#define FORCE_PREFILL 2 /* by PALcode: no line of the page is touched */

enum { PROBE_WORDS = 365, PROBE_CLUSTER = 2048 };

void probe_load(const uint8_t *data, uint32_t bytes); /* nothing for fewer words, or unaligned */
#endif
