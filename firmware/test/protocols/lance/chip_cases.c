/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases in which the chip reports an error, or that it is off. */
#include <string.h>

#include "test/protocols/lance/chip_model.h"
#include "test/protocols/lance/driver_tests.h"

CASE(driver_missed_frame, begin())
{
	static uint8_t frame[64];

	for (int i = 0; i < RING; i++)
		CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), 0);
	CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), -1);
	interrupt();
	CHECK_EQUAL(kernel.delivered, RING); /* what is in the ring is taken first */
	CHECK_EQUAL(lance_counts.missed, 1);
	restarted(1);
}

CASE(driver_memory_error, begin())
{
	CHECK_EQUAL(push(SMALL), XK_OK);
	chip_raise(CSR0_MERR);
	interrupt();
	restarted(1);
}

CASE(driver_babble, begin())
{
	chip_raise(CSR0_BABL);
	interrupt();
	CHECK_EQUAL(lance_counts.too_long, 1);
	CHECK_EQUAL(lance_counts.restarts, 0);
	goes_on();
}

/* Heartbeat: a transceiver without it says so after every frame. Nothing is wrong. */
CASE(driver_collision_error, begin())
{
	static const struct lance_counts none;

	chip_raise(CSR0_CERR);
	interrupt();
	CHECK(!memcmp(&lance_counts, &none, sizeof none));
	goes_on();
}

CASE(driver_receiver_off, begin())
{
	chip_stops(CSR0_RXON);
	CHECK_EQUAL(push(SMALL), XK_OK);
	interrupt();
	CHECK_EQUAL(lance_counts.sent, 1);
	lance_counts.sent = 0;
	restarted(1);
}

/* A restart that the chip does not answer: asked again at once by a thread, then every second. */
CASE(driver_answers_no_restart, begin())
{
	chip.dead = 1;
	chip_raise(CSR0_MERR);
	interrupt();
	CHECK_EQUAL(lance_counts.no_answer, 1);
	CHECK(!kernel.scheduled);
	run_ready();
	for (uint64_t tries = 2; tries < 20; tries++) {
		CHECK_EQUAL(lance_counts.no_answer, tries);
		CHECK_EQUAL(kernel.scheduled_us, LANCE_RETRY_US);
		CHECK_EQUAL(push(SMALL), XK_OK); /* into the new ring, and lost with it */
		fire();
	}
	CHECK(!kernel.ready);
	CHECK_EQUAL(chip.starts, 1);
	chip.dead = 0;
	fire();
	CHECK(!kernel.ready && !kernel.scheduled);
	restarted(1);
	/* And the next time the same. */
	chip.dead = 1;
	chip_raise(CSR0_MERR);
	interrupt();
	chip.dead = 0;
	run_ready();
	CHECK(!kernel.scheduled);
	restarted(2);
}

/* An interrupt before the thread's turn: it leaves the restart to the thread. */
CASE(driver_interrupts_without_an_answer, begin())
{
	chip.dead = 1;
	chip_raise(CSR0_MERR);
	interrupt();
	chip.csr[0] = CSR0_IDON | CSR0_INTR | CSR0_INEA; /* the answer, too late */
	interrupt();
	CHECK_EQUAL(lance_counts.no_answer, 1);
	CHECK_EQUAL(lance_counts.restarts, 1);
	chip.dead = 0;
	run_ready();
	CHECK(!kernel.ready && !kernel.scheduled);
	restarted(1);
}
