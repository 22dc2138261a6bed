/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing wrong; opening; controls. */
#include <string.h>

#include "platform/host/host.h"
#include "test/protocols/lance/chip_model.h"
#include "test/protocols/lance/driver_tests.h"

CASE(driver_receive_and_send, begin())
{
	for (int i = 0; i < 3 * RING; i++)
		goes_on();
	CHECK_EQUAL(lance_counts.restarts, 0);
	CHECK_EQUAL(push(LANCE_MAX_FRAME), XK_OK);
	CHECK_EQUAL(chip.bytes, LANCE_MAX_FRAME);
	CHECK_EQUAL(push(LANCE_MAX_FRAME + 1), XK_ERROR);
	CHECK_EQUAL(lance_counts.too_long, 1);
	CHECK_EQUAL(push(14), XK_OK); /* padded */
	CHECK_EQUAL(chip.bytes, LANCE_MIN_FRAME);
	ring_is_full_of_buffers();
}

CASE(driver_chip_is_dead)
{
	uint64_t blocks = host_blocks_in_use();

	chip.dead = 1;
	CHECK_EQUAL(lance_init(&kernel.protocol), XK_OK);
	CHECK(xOpen(&kernel.eth, &kernel.eth, &kernel.protocol, NULL) == NULL);
	CHECK_EQUAL(host_blocks_in_use(), blocks);
	chip.dead = 0;
	begin();
	goes_on();
	CHECK(xOpen(&kernel.eth, &kernel.eth, &kernel.protocol, NULL) ==
	      NULL); /* there is one session */
}

CASE(driver_no_memory_to_open)
{
	CHECK_EQUAL(lance_init(&kernel.protocol), XK_OK);
	host_fail_allocations(0, 1);
	CHECK(xOpen(&kernel.eth, &kernel.eth, &kernel.protocol, NULL) == NULL);
	host_fail_allocations(0, 0);
	begin();
	goes_on();
}

CASE(driver_control, begin())
{
	uint32_t bytes = 0;
	uint8_t mac[6];

	CHECK_EQUAL(xControl(kernel.session, XK_GET_MY_HOST, mac, sizeof mac), 6);
	CHECK(!memcmp(mac, "\10\0\53\0\0\0", 6));
	CHECK_EQUAL(xControl(kernel.session, XK_GET_MAX_PACKET, &bytes, sizeof bytes),
		    sizeof bytes);
	CHECK_EQUAL(bytes, LANCE_MAX_FRAME);
	CHECK_EQUAL(xControl(kernel.session, XK_GET_MY_HOST, mac, 5), XK_ERROR);
	CHECK_EQUAL(xControl(&kernel.protocol, XK_GET_OPT_PACKET, &bytes, 3), XK_ERROR);
	CHECK_EQUAL(xControl(kernel.session, 9999, NULL, 0), XK_UNKNOWN);
}
