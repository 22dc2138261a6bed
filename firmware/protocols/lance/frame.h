/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames between messages and the chip's gap16 buffers, by quadwords. Also compiled for the host,
 * where the tests are. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* From the buffer at `base` to `frame`, which is 2 mod 16. Writes from frame - 2 to less than 24
 * bytes past the end. */
void frame_from_gap16(uint8_t *frame, uint64_t base, size_t bytes);

/* 16 bits into the two bytes before a frame that was copied so. The word is made anew: a load would
 * wait for the copy's store. */
static inline void frame_path_set(uint8_t *frame, uint64_t base, uint64_t path)
{
	typedef uint64_t __attribute__((may_alias)) word;

	*(word *)(frame - 2) = *(const word *)base << 16 | path;
}

/* Pieces of any alignment, one after the other, into the buffer at `base`. */
struct frame_writer {
	uint64_t base;
	uint64_t offset; /* dense, whole quadwords written */
	uint64_t held;	 /* bits of the next quadword that are in `partial` */
	uint64_t partial;
};

static inline void frame_start(struct frame_writer *w, uint64_t base)
{
	*w = (struct frame_writer){ .base = base };
}

/* For msg_for_each; arg is the struct frame_writer. May read up to 14 bytes past the piece (it
 * reads whole aligned quadwords); always returns 0. */
int frame_put(const uint8_t *piece, size_t bytes, void *arg);

/* Writes the bytes that are held, then zeroes up to `minimum`; the length of the frame. */
size_t frame_finish(struct frame_writer *w, size_t minimum);
