/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames to send: into a buffer of the chip, OWN last, transmit demand. */
#include "machine.h"
#include "platform/marker.h"
#include "platform/platform.h"
#include "protocols/lance/chip.h"
#include "protocols/lance/frame.h"
#include "protocols/lance/lance.h"
#include "protocols/lance/layout.h"
#include "protocols/lance/rings.h"

static uint64_t transmit_descriptor(uint64_t number)
{
	return LANCE_MEMORY + LANCE_SPREAD * (TRANSMIT_RING + 8 * (number & (RING - 1)));
}

/* 1: the transmitter has stopped, or may have. */
static int count_error(uint32_t errors)
{
	if (errors & TX_RTRY)
		lance_counts.retry++;
	if (errors & TX_LCAR)
		lance_counts.lost_carrier++;
	if (errors & TX_LCOL)
		lance_counts.late_collision++;
	if (errors & (TX_UFLO | TX_BUFF))
		lance_counts.underflow++;
	return (errors & (TX_UFLO | TX_BUFF)) != 0;
}

int transmit_reclaim(void)
{
	uint64_t descriptor;
	struct descriptor dense;
	uint32_t flags;
	int restart = 0;

	while (lance_rings.transmit_done != lance_rings.transmit_next) {
		descriptor = transmit_descriptor(lance_rings.transmit_done);
		if (!XK_USC)
			descriptor_fetch(&dense, descriptor);
		flags = XK_USC ? descriptor_flags_get(descriptor) : dense.flags;
		if (flags & FLAG_OWN)
			break;
		lance_rings.transmit_done++;
		if (PREDICT_FALSE(flags & FLAG_ERR))
			restart |= count_error(descriptor_errors_get(descriptor));
		else
			lance_counts.sent++;
	}
	return restart;
}

int transmit_frame(struct msg *m)
{
	uint64_t descriptor, buffer;
	struct frame_writer writer;
	struct descriptor dense;
	size_t bytes;

	if (PREDICT_FALSE(lance_rings.transmit_next - lance_rings.transmit_done == RING)) {
		lance_counts.no_buffer++;
		return XK_WOULD_BLOCK;
	}
	descriptor = transmit_descriptor(lance_rings.transmit_next);
	buffer = LANCE_MEMORY +
		 LANCE_SPREAD *
		     (TRANSMIT_BUFFERS + BUFFER_BYTES * (lance_rings.transmit_next & (RING - 1)));
	frame_start(&writer, buffer);
	msg_for_each(m, frame_put, &writer);
	bytes = frame_finish(&writer, LANCE_MIN_FRAME);

	if (XK_USC) {
		descriptor_length_set(descriptor, (uint32_t)bytes);
	} else {
		descriptor_fetch(&dense, descriptor);
		dense.length = (uint16_t)(0xf000 | (0x1000 - bytes));
		dense.result = 0;
		dense.flags = FLAG_OWN | FLAG_STP | FLAG_ENP;
		descriptor_put_back(descriptor, &dense);
	}
	lance_rings.transmit_next++;
	plat_memory_barrier();
	MARK(MARK_EVENT, EVENT_HAND_OVER);
	if (XK_USC)
		descriptor_flags_set(descriptor, FLAG_OWN | FLAG_STP | FLAG_ENP,
				     (uint32_t)((buffer - LANCE_MEMORY) / LANCE_SPREAD));
	else
		descriptor_put_flags_back(descriptor, &dense);
	/* The chip must find OWN when the demand sends it looking, or it waits for its next poll.
	 */
	plat_memory_barrier();
	chip_csr0_write(CSR0_TDMD | CSR0_INEA);
	return XK_OK;
}
