/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing wrong; opening; controls. */
#include <string.h>

#include "platform/host/host.h"
#include "protocols/lance/layout.h"
#include "test/protocols/lance/chip_model.h"
#include "test/protocols/lance/driver_tests.h"
#include "xkernel/path.h"

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

/* Frames of a path that is asked for: an entry, its words first; then a frame's id goes up. */
CASE(driver_recognise, begin())
{
	static const path_quad first[2] = { 0x3333222211110000, 0x7777666655554444 };
	static const path_quad masks[2] = { 0x00ff00000000ffff, 0x00000000ffff0000 };
	static uint8_t frame[64];
	struct path_pattern pattern = { first, masks, 2 };

	if (!LANCE_CLASSIFIER) {
		CHECK_EQUAL(xControl(kernel.session, XK_RECOGNISE, &pattern, sizeof pattern),
			    XK_UNKNOWN);
		return;
	}
	CHECK_EQUAL(xControl(kernel.session, XK_RECOGNISE, &pattern, 3), XK_ERROR);
	for (int id = 1; id <= 8; id++)
		CHECK_EQUAL(xControl(kernel.session, XK_RECOGNISE, &pattern, sizeof pattern), id);
	CHECK_EQUAL(xControl(kernel.session, XK_RECOGNISE, &pattern, sizeof pattern), 0);
	for (int e = 0; e < 8; e++) {
		CHECK_EQUAL(chip.entry[e][0], 0x00001111);
		CHECK_EQUAL(chip.entry[e][2], 0x00ff3333);
		CHECK_EQUAL(chip.entry[e][4], 0xffff5555);
		CHECK_EQUAL(chip.entry[e][63], 5);
	}
	for (uint16_t id = 8; id <= 8; id--) {
		chip.path = id;
		CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), 0);
		interrupt();
		CHECK_EQUAL(kernel.delivered_bytes, sizeof frame - FCS);
		CHECK_EQUAL(path_id_of(&kernel.shepherd->msg), id);
	}
	chip.path = 0;
	goes_on();
}

/* A path that is known by a word beyond an entry's has no id. */
CASE(driver_recognise_too_far, begin())
{
	static const path_quad first[17], masks[17] = { [16] = 0xffff };
	struct path_pattern pattern = { first, masks, 17 };

	if (LANCE_CLASSIFIER)
		CHECK_EQUAL(xControl(kernel.session, XK_RECOGNISE, &pattern, sizeof pattern),
			    XK_ERROR);
}
