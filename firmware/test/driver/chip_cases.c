/* SPDX-License-Identifier: BSD-2-Clause */
/* What the chip says of itself: an error, or that it is off. */
#include <string.h>

#include "test/driver/chip_model.h"
#include "test/driver/driver_tests.h"

static void missed_frame(void)
{
	static uint8_t frame[64];

	begin();
	for (int i = 0; i < RING; i++)
		CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), 0);
	CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), -1);
	interrupt();
	CHECK_EQUAL(kernel.delivered, RING); /* what is in the ring is taken first */
	CHECK_EQUAL(lance_counts.missed, 1);
	restarted(1);
}

static void memory_error(void)
{
	begin();
	CHECK_EQUAL(push(SMALL), XK_OK);
	chip_raise(CSR0_MERR);
	interrupt();
	restarted(1);
}

static void babble(void)
{
	begin();
	chip_raise(CSR0_BABL);
	interrupt();
	CHECK_EQUAL(lance_counts.too_long, 1);
	CHECK_EQUAL(lance_counts.restarts, 0);
	goes_on();
}

/* Heartbeat: a transceiver without it says so after every frame. Nothing is wrong. */
static void collision_error(void)
{
	static const struct lance_counts none;

	begin();
	chip_raise(CSR0_CERR);
	interrupt();
	CHECK(!memcmp(&lance_counts, &none, sizeof none));
	goes_on();
}

static void receiver_off(void)
{
	begin();
	chip_stops(CSR0_RXON);
	CHECK_EQUAL(push(SMALL), XK_OK);
	interrupt();
	CHECK_EQUAL(lance_counts.sent, 1);
	lance_counts.sent = 0;
	restarted(1);
}

const struct test_case chip_cases[] = {
	{ "driver_missed_frame", missed_frame },
	{ "driver_memory_error", memory_error },
	{ "driver_babble", babble },
	{ "driver_collision_error", collision_error },
	{ "driver_receiver_off", receiver_off },
	{ 0 },
};
