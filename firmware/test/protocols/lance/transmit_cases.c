/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that could not be sent. */
#include "test/protocols/lance/chip_model.h"
#include "test/protocols/lance/driver_tests.h"

/* A frame that could not be sent: counted as what it was, and only as that. */
static void bad_transmit(uint16_t errors, uint64_t *counter, uint64_t restarts)
{
	begin();
	chip.transmit_errors = errors;
	CHECK_EQUAL(push(SMALL), XK_OK);
	interrupt();
	CHECK_EQUAL(*counter, 1);
	CHECK_EQUAL(lance_counts.sent, 0);
	CHECK_EQUAL(lance_counts.retry + lance_counts.late_collision + lance_counts.lost_carrier +
			lance_counts.underflow,
		    1);
	if (restarts)
		restarted(restarts);
	CHECK_EQUAL(lance_counts.restarts, restarts);
	goes_on();
}

/* TDR counts in the low bits. */
CASE_IS(driver_transmit_retry, bad_transmit(TX_RTRY | 0x3ff, &lance_counts.retry, 0))
CASE_IS(driver_transmit_lost_carrier, bad_transmit(TX_LCAR, &lance_counts.lost_carrier, 0))
CASE_IS(driver_transmit_late_collision, bad_transmit(TX_LCOL, &lance_counts.late_collision, 0))
CASE_IS(driver_transmit_underflow, bad_transmit(TX_UFLO, &lance_counts.underflow, 1))
CASE_IS(driver_transmit_no_next_buffer, bad_transmit(TX_BUFF | TX_UFLO, &lance_counts.underflow, 1))

CASE(driver_transmit_ring_full, begin())
{
	chip.transmit_holds = 1;
	for (int i = 0; i < RING; i++)
		CHECK_EQUAL(push(SMALL + (size_t)i), XK_OK);
	CHECK_EQUAL(push(SMALL), XK_WOULD_BLOCK);
	CHECK_EQUAL(lance_counts.no_buffer, 1);
	chip.transmit_holds = 0;
	chip_csr0_write(CSR0_TDMD | CSR0_INEA);
	CHECK_EQUAL(chip.sent, RING);
	interrupt();
	CHECK_EQUAL(lance_counts.sent, RING);
	goes_on();
}
