/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <stdint.h>

#include "xkernel/upi.h"

struct lance_entry_counts {
	uint64_t overlap;   /* a pattern refused: a frame could match it and another path's */
	uint64_t none_left; /* refused: all entries are taken */
};
extern struct lance_entry_counts lance_entry_counts;

/* The id of frames with this pattern, from 1; the same for the same pattern. XK_ERROR: an entry
 * cannot have it; XK_REFUSED: see the counts. */
int entries_id(const struct path_pattern *pattern);
