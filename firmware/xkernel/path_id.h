/* SPDX-License-Identifier: BSD-2-Clause */
/* Ids of frames that a driver with a classifier recognises (docs/reference/lance.md). The id lies
 * in the two bytes before a frame, which begins at 2 mod 8; 0: no path's. */
#pragma once

#include "xkernel/classifier.h"
#include "xkernel/switches.h"
#include "xkernel/upi.h"

enum { PATH_NO_ID = 0x10000 }; /* more than two bytes: no frame has it */

/* `word`: the frame's first, with the two bytes before it. */
static inline uint64_t path_id_in(uint64_t word)
{
	return word & 0xffff;
}

/* The id that the driver gives to frames with these words, where `masks` have ones. */
static inline uint64_t path_id_ask(struct xobj *driver, const uint64_t *first,
				   const uint64_t *masks, uint64_t quads)
{
	struct path_pattern pattern = { first, masks, quads };
	int id = xControl(driver, XK_RECOGNISE, &pattern, sizeof pattern);

	return id > 0 ? (uint64_t)id : PATH_NO_ID;
}

/* Must a fast path compare the headers of a frame with this first word? Not if it has the id. */
#if !XK_FAST_GUARD
#define PATH_UNKNOWN(word, id) 0
#elif LANCE_CLASSIFIER
#define PATH_UNKNOWN(word, id) PREDICT_FALSE(path_id_in(word) != (id))
#else
#define PATH_UNKNOWN(word, id) 1
#endif
