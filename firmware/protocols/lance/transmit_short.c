/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast paths' frames to send, of one length each: transmit.c has the others. */
#include "machine.h"
#include "platform/marker.h"
#include "platform/platform.h"
#include "protocols/lance/chip.h"
#include "protocols/lance/lance.h"
#include "protocols/lance/layout.h"
#include "protocols/lance/rings.h"

#if XK_FAST
static inline int transmit_words(const uint64_t *words, int quads, uint32_t bytes)
{
	uint64_t number = lance_rings.transmit_next, index = number & (RING - 1);
	uint64_t descriptor, buffer;

	if (PREDICT_FALSE(number - lance_rings.transmit_done == RING)) {
		lance_counts.no_buffer++;
		return XK_WOULD_BLOCK;
	}
	descriptor = LANCE_MEMORY + LANCE_SPREAD * (TRANSMIT_RING + 8 * index);
	buffer = LANCE_MEMORY + LANCE_SPREAD * (TRANSMIT_BUFFERS + BUFFER_BYTES * index);
#pragma GCC unroll 12
	for (int i = 0; i < quads; i++)
		*(uint64_t *)(buffer + frame_offset(8 * (uint64_t)i)) = words[i];
	descriptor_length_set(descriptor, bytes);
	plat_memory_barrier();
	MARK(MARK_EVENT, EVENT_HAND_OVER);
	descriptor_flags_set(descriptor, FLAG_OWN | FLAG_STP | FLAG_ENP,
			     (uint32_t)((buffer - LANCE_MEMORY) / LANCE_SPREAD));
	/* After OWN: the handler takes back up to here what has none. */
	lance_rings.transmit_next = number + 1;
	plat_memory_barrier(); /* as in transmit_frame() */
	chip_csr0_write(CSR0_TDMD | CSR0_INEA);
	return XK_OK;
}

int transmit_short(const uint64_t words[8])
{
	return transmit_words(words, 8, LANCE_MIN_FRAME);
}

int transmit_call(const uint64_t words[12])
{
	return transmit_words(words, 12, LANCE_CALL_FRAME);
}
#endif
