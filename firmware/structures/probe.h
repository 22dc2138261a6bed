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
#define PROBE_FORCE 0 /* 1: a word of the mbuf's page is touched first, not of its own lines */
#endif

enum { PROBE_WORDS = 365, PROBE_CLUSTER = 2048 };

void probe_load(const uint8_t *data, uint32_t bytes); /* nothing for fewer words, or unaligned */
#endif
