/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that came in with an error, or with nobody to take them. */
#include "test/protocols/lance/chip_model.h"
#include "test/protocols/lance/driver_tests.h"

/* A frame with an error in its descriptor: dropped, counted there, its buffer back; no restart. */
static void bad_frame(uint8_t flags, size_t bytes, const uint64_t *counter)
{
	static uint8_t frame[1600];
	uint64_t before = *counter;

	CHECK_EQUAL(chip_receive(frame, bytes, flags), 0);
	interrupt();
	CHECK_EQUAL(kernel.delivered, 0);
	CHECK_EQUAL(*counter, before + 1);
	CHECK_EQUAL(lance_counts.received, 0);
	CHECK_EQUAL(lance_counts.restarts, 0);
	ring_is_full_of_buffers();
}

/* Each buffer of the ring three times. */
CASE(driver_receive_three_rings, begin())
{
	for (unsigned i = 0; i < 3 * RING; i++)
		goes_on();
	ring_is_full_of_buffers();
}

CASE(driver_receive_crc, begin())
{
	bad_frame(FLAG_ERR | RX_CRC | GOOD, 64, &lance_counts.crc);
	goes_on();
}

CASE(driver_receive_framing, begin())
{
	bad_frame(FLAG_ERR | RX_FRAM | RX_CRC | GOOD, 64, &lance_counts.framing);
	CHECK_EQUAL(lance_counts.crc, 0);
	goes_on();
}

CASE(driver_receive_overflow, begin())
{
	/* FRAM and CRC mean nothing beside it. */
	bad_frame(FLAG_ERR | RX_OFLO | RX_FRAM | RX_CRC | FLAG_STP, 64, &lance_counts.overflow);
	CHECK_EQUAL(lance_counts.framing + lance_counts.crc, 0);
	goes_on();
}

CASE(driver_receive_no_next_buffer, begin())
{
	bad_frame(FLAG_ERR | RX_BUFF | RX_OFLO | FLAG_STP, 64, &lance_counts.overflow);
	bad_frame(FLAG_ERR | RX_BUFF | FLAG_STP, 64, &lance_counts.no_buffer);
	goes_on();
}

/* Down to counts that don't even hold an FCS. */
CASE(driver_receive_runt, begin())
{
	for (size_t bytes = 0; bytes < 64; bytes++)
		bad_frame(GOOD, bytes, &lance_counts.runt);
	CHECK_EQUAL(lance_counts.too_long, 0);
	goes_on();
}

/* One that did not fit into its buffer: three descriptors, one frame lost, one count. */
CASE(driver_receive_chained, begin())
{
	static uint8_t frame[3 * BUFFER_BYTES];

	CHECK_EQUAL(chip_receive(frame, 0, FLAG_STP), 0);
	CHECK_EQUAL(chip_receive(frame, 200, 0), 0);
	CHECK_EQUAL(chip_receive(frame, 3 * 1500, FLAG_ENP), 0); /* all the frame's bytes */
	interrupt();
	CHECK_EQUAL(kernel.delivered, 0);
	CHECK_EQUAL(lance_counts.too_long, 1);
	ring_is_full_of_buffers();
	bad_frame(GOOD, LANCE_MAX_FRAME + FCS + 1, &lance_counts.too_long);
	goes_on();
}

CASE(driver_receive_no_shepherd, begin())
{
	kernel.shepherds = 0;
	bad_frame(GOOD, 64, &lance_counts.no_shepherd);
	kernel.shepherds = 1;
	goes_on();
}
