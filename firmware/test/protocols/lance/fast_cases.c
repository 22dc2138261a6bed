/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast paths' frames, at any interrupt level (XK_FAST_RING): an interrupt may come before the
 * chip has the frame, and after. */
#include <string.h>

#include "test/protocols/lance/chip_model.h"
#include "test/protocols/lance/driver_tests.h"

static const uint64_t words[12] = {
	0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x1716151413121110, 0x1f1e1d1c1b1a1918,
	0x2726252423222120, 0x2f2e2d2c2b2a2928, 0x3736353433323130, 0x3f3e3d3c3b3a3938,
	0x4746454443424140, 0x4f4e4d4c4b4a4948, 0x5756555453525150, 0x5f5e5d5c5b5a5958,
};

/* The frame has left the chip as it is in `words`. */
static void has_left(size_t bytes, unsigned sent)
{
	CHECK_EQUAL(chip.sent, sent);
	CHECK_EQUAL(chip.bytes, bytes);
	CHECK(!memcmp(chip.frame, words, bytes));
}

CASE(driver_fast_frames, begin())
{
	for (unsigned i = 0; i < 3 * RING; i++) {
		CHECK_EQUAL(lance_push_short(kernel.session, words), XK_OK);
		has_left(LANCE_MIN_FRAME, 2 * i + 1);
		CHECK_EQUAL(lance_push_call(kernel.session, words), XK_OK);
		has_left(LANCE_CALL_FRAME, 2 * i + 2);
		interrupt();
		CHECK_EQUAL(lance_counts.sent, 2 * i + 2);
	}
	goes_on();
}

CASE(driver_fast_ring_full, begin())
{
	chip.transmit_holds = 1;
	for (int i = 0; i < RING; i++)
		CHECK_EQUAL(lance_push_call(kernel.session, words), XK_OK);
	CHECK_EQUAL(lance_push_call(kernel.session, words), XK_WOULD_BLOCK);
	CHECK_EQUAL(lance_counts.no_buffer, 1);
	chip.transmit_holds = 0;
	chip_csr0_write(CSR0_TDMD | CSR0_INEA);
	has_left(LANCE_CALL_FRAME, RING);
	interrupt();
	goes_on();
}

/* The chip has sent the frame before it: that one is taken back, and this one stays. */
static void others_are_sent(int barrier)
{
	begin();
	CHECK_EQUAL(push(SMALL), XK_OK);
	kernel.interrupt_at = barrier;
	CHECK_EQUAL(lance_push_call(kernel.session, words), XK_OK);
	CHECK_EQUAL(kernel.interrupt_at, 0);
	has_left(LANCE_CALL_FRAME, 2);
	CHECK_EQUAL(lance_counts.sent, 1);
	interrupt();
	CHECK_EQUAL(lance_counts.sent, 2);
	CHECK_EQUAL(lance_counts.restarts, 0);
	goes_on();
}

CASE_IS(driver_fast_others_sent_before, others_are_sent(1))
CASE_IS(driver_fast_others_sent_after, others_are_sent(2))

/* The interrupt begins both rings anew. The frame may be lost, and the driver goes on. */
static void restart_between(int barrier)
{
	begin();
	for (int i = 0; i < 3; i++) {
		CHECK_EQUAL(push(SMALL), XK_OK);
		interrupt();
	}
	chip_raise(CSR0_MISS);
	kernel.interrupt_at = barrier;
	CHECK_EQUAL(lance_push_call(kernel.session, words), XK_OK);
	CHECK_EQUAL(kernel.interrupt_at, 0);
	restarted(2);
}

CASE_IS(driver_fast_restart_before, restart_between(1))
CASE_IS(driver_fast_restart_after, restart_between(2))
