/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/lance/in_place.h"

#include "protocols/lance/chip.h"
#include "protocols/lance/lance.h"
#include "protocols/lance/layout.h"
#include "protocols/lance/rings.h"
#include "xkernel/thread/shepherd.h"

#if LANCE_DENSE		   /* else not a byte of an image */
enum { REACH = 0xffffff }; /* of the chip, from its window on */

static struct shepherd *filled[RING];

uint32_t in_place_buffer(uint64_t index)
{
	struct shepherd **s = &filled[index];

	if (!*s)
		*s = shepherd_take();
	if (!*s)
		return 0;
	return (uint32_t)((uintptr_t)shepherd_frame(*s) - RAM_LANCE_WINDOW_PHYSICAL) & REACH;
}

#if LANCE_CLASSIFIER
void in_place_recognised(uint64_t index, uint32_t path)
{
	shepherd_path_set(filled[index], path);
}
#endif

void in_place_deliver(uint64_t index, size_t bytes)
{
	struct shepherd *s = filled[index], *next = shepherd_take();

	if (PREDICT_FALSE(!next)) { /* the frame is lost, its buffer is not */
		lance_counts.no_shepherd++;
		return;
	}
	filled[index] = next;
	lance_counts.received++;
	shepherd_deliver(s, lance_rings.session, bytes);
}
#endif
