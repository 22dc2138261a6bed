/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: room that the user has made and the peer has not been told of, because it is too little
 * (RFC 1122 4.2.3.3). What comes then opens no window. */
#include "protocols/tcp/tcp_private.h"
#include "test/host/tcp_case.h"

enum { FULL = 1460, REST = KERNEL_WINDOW - 2 * FULL, ROOM = 100, NEXT = 1 + KERNEL_WINDOW };

static char text[FULL];
static const char segment_max[4] = { 2, 4, FULL >> 8, (char)(FULL & 0xff) };

/* All that was offered has come, and the user has made room for `bytes`. */
static void shut(uint32_t bytes)
{
	listening();
	twist.tcp_options = segment_max;
	twist.tcp_option_bytes = sizeof segment_max;
	peer_connects();
	twist.tcp_option_bytes = 0;
	user.keep_space = 1;
	peer_tcp(A, 1, 1, text, FULL);
	peer_tcp(A, 1 + FULL, 1, text, FULL);
	peer_tcp(A, 1 + 2 * FULL, 1, text, REST);
	wait_ms(400);
	drop_frames();
	user_control(TCP_SET_RECEIVE_SPACE, bytes);
	expect_quiet(1000);
}

/* A peer that believes every offer sends so. */
static void sends_on(uint32_t sequence)
{
	for (uint32_t n = 0; n < 20; n++)
		peer_tcp(A, sequence + n * FULL, 1, text, FULL);
	CHECK(user.bytes <= KERNEL_WINDOW + ROOM);
}

/* A probe of one byte, as BSD and this stack send it. */
CASE(tcp_shut_window_probe, shut(ROOM))
{
	peer_tcp(A, NEXT, 1, "p", 1);
	CHECK(expect_any().window <= ROOM);
	sends_on(NEXT + 1);
}

CASE(tcp_shut_window_longer_segment, shut(ROOM))
{
	peer_tcp(A, NEXT, 1, text, ROOM);
	CHECK(expect_any().window <= ROOM);
	sends_on(NEXT + ROOM);
}

/* And between the probe and its answer. */
CASE(tcp_shut_window_reset_anywhere, shut(ROOM))
{
	peer_tcp(A, NEXT, 1, "p", 1);
	peer_tcp(R, NEXT + 2000000000u, 0, NULL, 0);
	CHECK_EQUAL(user.reset, 0);
	peer_tcp(A, NEXT + 1000000000u, 1, "q", 1);
	CHECK_EQUAL(tcp_counts.out_of_order, 0);
}

CASE(tcp_shut_window_fin, shut(0))
{
	peer_tcp(F | A, NEXT, 1, NULL, 0);
	CHECK_EQUAL(expect_any().window, 0);
	CHECK_EQUAL(user.peer_closed, 1);
	peer_tcp(R, NEXT + 1 + KERNEL_WINDOW, 0, NULL, 0);
	CHECK_EQUAL(user.reset, 0);
}

CASE(tcp_shut_window_fin_into_room, shut(ROOM))
{
	peer_tcp(F | A, NEXT, 1, NULL, 0);
	CHECK(expect_any().window <= ROOM);
	CHECK_EQUAL(user.peer_closed, 1);
}

/* The probes go on until the user has made room that is worth a word. */
CASE(tcp_shut_window_opens_for_enough, shut(ROOM))
{
	peer_tcp(A, NEXT, 1, "p", 1);
	expect(A, 1, NEXT, 0);
	user_control(TCP_SET_RECEIVE_SPACE, 2 * FULL);
	CHECK_EQUAL(expect(A, 1, NEXT, 0).window, 2 * FULL);
	peer_acked(A, NEXT, 1, text, FULL, NEXT + FULL);
	peer_acked(A, NEXT + FULL, 1, text, FULL, NEXT + 2 * FULL);
}

/* More than was told, where some was: the rest is cut off. */
CASE(tcp_shut_window_over_the_edge, listening())
{
	twist.tcp_options = segment_max;
	twist.tcp_option_bytes = sizeof segment_max;
	peer_connects();
	twist.tcp_option_bytes = 0;
	user.keep_space = 1;
	peer_tcp(A, 1, 1, text, FULL);
	peer_tcp(A, 1 + FULL, 1, text, FULL);
	wait_ms(400);
	drop_frames();
	user_control(TCP_SET_RECEIVE_SPACE, REST + ROOM);
	peer_tcp(A, 1 + 2 * FULL, 1, text, FULL);
	CHECK_EQUAL(user.bytes, KERNEL_WINDOW);
	sends_on(NEXT);
}

/* The rest of what was offered is too little to offer anew, but it is not taken back. */
CASE(tcp_shut_window_keeps_its_promise, listening())
{
	twist.tcp_options = segment_max;
	twist.tcp_option_bytes = sizeof segment_max;
	peer_connects();
	twist.tcp_option_bytes = 0;
	user.keep_space = 1;
	peer_tcp(A, 1, 1, text, FULL);
	peer_tcp(A, 1 + FULL, 1, text, FULL);
	drop_frames();
	peer_tcp(A, 1 + 2 * FULL, 1, text, REST - ROOM);
	CHECK_EQUAL(expect(A, 1, NEXT - ROOM, 0).window, ROOM);
	peer_tcp(A, NEXT - ROOM, 1, text, ROOM);
	CHECK_EQUAL(expect(A, 1, NEXT, 0).window, 0);
	CHECK_EQUAL(user.bytes, KERNEL_WINDOW);
}

/* Text that comes with the answer to our SYN is of what the SYN has offered. */
CASE(tcp_shut_window_text_with_syn_ack, kernel_start())
{
	struct segment g;

	user_open();
	g = expect(S, 0, 0, 0);
	kernel_port = g.source;
	peer_port = g.destination;
	user.keep_space = 1;
	peer_tcp(S | A, 0, 1, text, FULL);
	CHECK(expect_any().window <= KERNEL_WINDOW - FULL);
	CHECK_EQUAL(user.bytes, FULL);
}
