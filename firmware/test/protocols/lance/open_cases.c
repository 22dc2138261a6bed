/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing wrong; opening; controls. */
#include <string.h>

#include "platform/host/host.h"
#include "protocols/lance/entries.h"
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

static int recognise(const path_quad *first, const path_quad *masks, uint64_t quads)
{
	struct path_pattern pattern = { first, masks, quads };

	return xControl(kernel.session, XK_RECOGNISE, &pattern, sizeof pattern);
}

/* Frames of paths that are asked for: an entry each, its words first; then a frame's id goes up. */
CASE(driver_recognise, begin())
{
	static path_quad first[2] = { 0x3333222211110000, 0x7777666655554444 };
	static const path_quad masks[2] = { 0x00ff00000000ffff, 0x00000000ffff0000 };
	static uint8_t frame[64];

	if (!LANCE_CLASSIFIER) {
		CHECK_EQUAL(recognise(first, masks, 2), XK_UNKNOWN);
		return;
	}
	CHECK_EQUAL(xControl(kernel.session, XK_RECOGNISE, &first, 3), XK_ERROR);
	for (uint64_t id = 1; id <= 8; id++) {
		first[1] = id << 16;
		CHECK_EQUAL(recognise(first, masks, 2), (int)id);
		CHECK_EQUAL(chip.entry[id - 1][0], 0);
		CHECK_EQUAL(chip.entry[id - 1][2], 0x00ff0033);
		CHECK_EQUAL(chip.entry[id - 1][4], 0xffff0000 | (uint32_t)id);
		CHECK_EQUAL(chip.entry[id - 1][63], 5);
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

#if LANCE_CLASSIFIER
#define COUNTED(reason) lance_entry_counts.reason
#else
#define COUNTED(reason) 0
#endif

/* A ninth pattern is refused; one that is there already has its entry's id. */
CASE(driver_recognise_entries, begin())
{
	static const path_quad masks[1] = { 0x00ff0000 };
	path_quad first[1];

	if (!LANCE_CLASSIFIER)
		return;
	for (uint64_t id = 1; id <= 9; id++) {
		first[0] = id << 16;
		CHECK_EQUAL(recognise(first, masks, 1), id > 8 ? XK_REFUSED : (int)id);
	}
	CHECK_EQUAL(COUNTED(none_left), 1);
	first[0] = 0x5555000012030001; /* the same where the mask has ones */
	CHECK_EQUAL(recognise(first, masks, 1), 3);
	CHECK_EQUAL(COUNTED(none_left), 1);
}

/* Patterns that a frame could match both are refused, and the entries stay as they are. */
CASE(driver_recognise_overlap, begin())
{
	static const path_quad first[1] = { 0x0000000622220000 };
	static const path_quad masks[1] = { 0x000000ffffff0000 };
	static const path_quad more[1] = { 0x00000f0000000000 }, part[1] = { 0x000000ff00000000 };
	static const path_quad other[1] = { 0x0000000722220000 };

	if (!LANCE_CLASSIFIER)
		return;
	CHECK_EQUAL(recognise(first, masks, 1), 1);
	CHECK_EQUAL(recognise(first, more, 1), XK_REFUSED); /* other words */
	CHECK_EQUAL(recognise(first, part, 1), XK_REFUSED); /* fewer bits of them */
	CHECK_EQUAL(COUNTED(overlap), 2);
	CHECK_EQUAL(chip.entry[0][1], 0x00ff0006);
	CHECK_EQUAL(chip.entry[1][63], 0);
	CHECK_EQUAL(recognise(other, part, 1), 2); /* a bit of both masks differs */
	CHECK_EQUAL(COUNTED(overlap), 2);
}

/* A path that is known by a word beyond an entry's has no id. */
CASE(driver_recognise_too_far, begin())
{
	static const path_quad first[17], masks[17] = { 0xffff0000, [16] = 0xffff };
	if (!LANCE_CLASSIFIER)
		return;
	CHECK_EQUAL(recognise(first, masks, 17), XK_ERROR);
	CHECK_EQUAL(recognise(first, masks + 1, 15), XK_ERROR); /* by nothing */
}
