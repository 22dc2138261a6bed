/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/lance/frame.h"
#include "protocols/lance/layout.h"

typedef uint64_t __attribute__((may_alias)) quad;
struct unaligned_quad {
	uint64_t value;
} __attribute__((packed, may_alias));

void frame_from_gap16(uint8_t *frame, uint64_t base, size_t bytes)
{
	quad *to = (quad *)(frame - 2);
	const quad *from = (const quad *)base;
	uint64_t carry = 0, first, second;
	size_t done;

	/* The chip's 16 bytes are ours shifted by two. */
	for (done = 0; done < bytes; done += 16) {
		first = from[0];
		second = from[1];
		to[0] = carry | first << 16;
		to[1] = first >> 48 | second << 16;
		carry = second >> 48;
		from += 2 * LANCE_SPREAD;
		to += 2;
	}
	to[0] = carry;
}

static void store(const struct frame_writer *w, uint64_t offset, uint64_t value)
{
	*(quad *)(w->base + frame_offset(offset)) = value;
}

static uint64_t load(const uint8_t *piece)
{
	return ((const struct unaligned_quad *)piece)->value;
}

/* The part of a quadword that does not fit behind `held` bits. */
static uint64_t spill(uint64_t value, uint64_t held)
{
	return value >> 1 >> (63 - held);
}

int frame_put(const uint8_t *piece, size_t bytes, void *arg)
{
	struct frame_writer *w = arg;
	uint64_t offset = w->offset, partial = w->partial, held = w->held, value;

	for (; bytes >= 8; bytes -= 8) {
		value = load(piece);
		store(w, offset, partial | value << held);
		partial = spill(value, held);
		piece += 8;
		offset += 8;
	}
	if (bytes) {
		value = load(piece) & (((uint64_t)1 << 8 * bytes) - 1);
		partial |= value << held;
		if (held + 8 * bytes >= 64) {
			store(w, offset, partial);
			offset += 8;
			partial = spill(value, held);
		}
		held = (held + 8 * bytes) & 63;
	}
	w->offset = offset;
	w->partial = partial;
	w->held = held;
	return 0;
}

size_t frame_finish(struct frame_writer *w, size_t minimum)
{
	size_t bytes = w->offset + w->held / 8;

	while (w->held || w->offset < minimum) {
		store(w, w->offset, w->partial);
		w->offset += 8;
		w->partial = 0;
		w->held = 0;
	}
	return bytes < minimum ? minimum : bytes;
}
