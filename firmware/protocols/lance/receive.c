/* SPDX-License-Identifier: BSD-2-Clause */
/* Received frames: out of the chip's buffers, into a shepherd's message, up. */
#include "machine.h"
#include "protocols/lance/chip.h"
#include "protocols/lance/frame.h"
#include "protocols/lance/lance.h"
#include "protocols/lance/layout.h"
#include "protocols/lance/receive_buffer.h"
#include "protocols/lance/rings.h"
#include "xkernel/thread/shepherd.h"

static void count_error(uint32_t flags)
{
	/* FRAM is valid only beside CRC, both only in the last buffer without overflow. */
	if (flags & RX_OFLO)
		lance_counts.overflow++;
	else if (flags & RX_BUFF)
		lance_counts.no_buffer++;
	else if (flags & RX_FRAM)
		lance_counts.framing++;
	else if (flags & RX_CRC)
		lance_counts.crc++;
}

static void receive_one(uint64_t descriptor, uint64_t buffer, uint32_t flags)
{
	uint32_t received = LANCE_CLASSIFIER ? descriptor_received_get(descriptor) : 0;
	uint32_t path = received >> PATH_SHIFT;
	uint32_t count =
	    LANCE_CLASSIFIER ? received & COUNT_BITS : descriptor_count_get(descriptor);
	/* Below 0 when the count is less than an FCS, or none yet. */
	int32_t bytes = (int32_t)count - FCS_BYTES;
	struct shepherd *s;

	if (PREDICT_FALSE(flags & FLAG_ERR)) {
		count_error(flags);
		return;
	}
	/* A buffer holds any legal frame: one that was chained is too long. It is counted where it
	 * starts; the count of all its bytes is in its last descriptor. */
	if (PREDICT_FALSE((flags & (FLAG_STP | FLAG_ENP)) != (FLAG_STP | FLAG_ENP) ||
			  bytes > LANCE_MAX_FRAME)) {
		if (flags & FLAG_STP)
			lance_counts.too_long++;
		return;
	}
	if (PREDICT_FALSE(bytes < LANCE_MIN_FRAME)) {
		lance_counts.runt++;
		return;
	}
	if (LANCE_DENSE) {
		if (LANCE_CLASSIFIER)
			in_place_recognised(lance_rings.receive_next & (RING - 1), path);
		in_place_deliver(lance_rings.receive_next & (RING - 1), (size_t)bytes);
		return;
	}
	s = shepherd_take();
	if (PREDICT_FALSE(!s)) {
		lance_counts.no_shepherd++;
		return;
	}
	lance_counts.received++;
	frame_from_gap16(shepherd_frame(s), buffer, (size_t)bytes);
	if (LANCE_CLASSIFIER)
		frame_path_set(shepherd_frame(s), buffer, path);
	shepherd_deliver(s, lance_rings.session, (size_t)bytes);
}

void receive_frames(void)
{
	uint64_t index, descriptor, buffer;
	struct descriptor dense;
	uint32_t flags;
	int budget;

	/* At most a ring full: there were no more at the acknowledge; later ones interrupt again.
	 */
	for (budget = RING; budget; budget--) {
		index = lance_rings.receive_next & (RING - 1);
		descriptor = LANCE_MEMORY + LANCE_SPREAD * (RECEIVE_RING + 8 * index);
		buffer = LANCE_MEMORY + LANCE_SPREAD * (RECEIVE_BUFFERS + BUFFER_BYTES * index);
		if (!XK_USC)
			descriptor_fetch(&dense, descriptor);
		flags = XK_USC ? descriptor_flags_get(descriptor) : dense.flags;
		if (flags & FLAG_OWN)
			return;
		receive_one(descriptor, buffer, flags);
		lance_rings.receive_next++;
		/* The buffer has been read: loads are in order and their values were used. */
		if (XK_USC) {
			descriptor_flags_set(descriptor, FLAG_OWN, receive_buffer(index));
		} else {
			if (LANCE_DENSE) {
				dense.address = (uint16_t)receive_buffer(index);
				dense.address_high = (uint8_t)(receive_buffer(index) >> 16);
			}
			dense.flags = FLAG_OWN;
			descriptor_put_back(descriptor, &dense);
			descriptor_put_flags_back(descriptor, &dense);
		}
	}
}
