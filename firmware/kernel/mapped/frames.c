/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/mapped/frames.h"

#include "kernel/mapped/privileged.h"
#include "platform/platform.h"
#include "xkernel/memory/memory.h"

extern char image_end[]; /* link.ld */

enum { PAGE_BYTES = 1 << MACHINE_PAGE_SHIFT };

struct free_frame {
	struct free_frame *next;
};

static struct free_frame *free_frames[COLOURS]; /* given back */
static uint64_t never_taken[COLOURS];		/* the first of each colour */
static uint64_t frames_end;

void *frame_address(uint64_t frame)
{
	return (void *)(KSEG + (frame << MACHINE_PAGE_SHIFT));
}

void frames_start(void)
{
	uint64_t first = (physical(image_end) + PAGE_BYTES - 1) >> MACHINE_PAGE_SHIFT;

	frames_end = plat_boot()->ram_bytes >> MACHINE_PAGE_SHIFT;
	for (uint64_t f = first; f < first + COLOURS; f++) {
		never_taken[f % COLOURS] = f;
		free_frames[f % COLOURS] = NULL;
	}
}

uint64_t frame_take(uint32_t colour)
{
	struct free_frame *f = free_frames[colour];

	if (f) {
		free_frames[colour] = f->next;
	} else {
		if (never_taken[colour] >= frames_end)
			return 0;
		f = frame_address(never_taken[colour]);
		never_taken[colour] += COLOURS;
	}
	memset(f, 0, PAGE_BYTES);
	return physical(f) >> MACHINE_PAGE_SHIFT;
}

void frame_give(uint64_t frame)
{
	struct free_frame *f = frame_address(frame);

	f->next = free_frames[frame % COLOURS];
	free_frames[frame % COLOURS] = f;
}
