/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: opening, by the user and by the peer, and what SYN_SENT answers (RFC 793 3.4, 3.9). */
#include "test/host/tcp_case.h"

CASE(tcp_passive_open, listening())
{
	twist = (struct twist){ .tcp_options = "\2\4\2\30", .tcp_option_bytes = 4 }; /* 536 */
	peer_tcp(S, 0, 0, NULL, 0);
	struct segment g = expect(S | A, 0, 1, 0);
	CHECK_EQUAL(g.window, KERNEL_WINDOW);
	CHECK_EQUAL(g.segment_max, 1460);
	CHECK_EQUAL(user.accepted, 0);
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user.accepted, 1);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	expect_quiet(3000);
	CHECK_EQUAL(tcp_counts.connections_accepted, 1);
}

/* The kernel's SYN is on the wire. */
static void user_opens(void)
{
	kernel_start();
	user_open();
	CHECK(user.opening);
	struct segment g = expect_any();
	CHECK_EQUAL(g.flags, S);
	CHECK_EQUAL(g.segment_max, 1460);
	CHECK_EQUAL(g.window, KERNEL_WINDOW);
	kernel_initial = g.sequence;
	kernel_port = g.source;
	peer_port = g.destination;
}

CASE(tcp_active_open, user_opens())
{
	CHECK_EQUAL(peer_port, PEER_PORT);
	peer_acked(S | A, 0, 1, NULL, 0, 1);
	CHECK(!user.opening);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	expect_quiet(3000);
}

CASE(tcp_simultaneous_open, user_opens())
{
	peer_opens();
	CHECK(user.opening);
	peer_acked(S | A, 0, 1, NULL, 0, 1);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	peer_tcp(P | A, 1, 1, "x", 1);
	CHECK_EQUAL(user.bytes, 1);
}

CASE(tcp_simultaneous_open_by_ack, user_opens())
{
	peer_opens();
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	expect_quiet(1000);
}

CASE(tcp_syn_ack_with_bad_ack, user_opens())
{
	peer_tcp(S | A, 0, 0, NULL, 0); /* left edge: our SYN is not acknowledged */
	expect(R, 0, 0, 0);
	peer_tcp(S | A, 0, 2, NULL, 0); /* of what was never sent */
	expect(R, 2, 0, 0);
	CHECK(user.opening); /* and we stay */
	peer_acked(S | A, 0, 1, NULL, 0, 1);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

CASE(tcp_refused, user_opens())
{
	peer_tcp(R, 0, 0, NULL, 0); /* without a good ACK: anybody's */
	peer_tcp(R | A, 0, 5, NULL, 0);
	CHECK(user.opening);
	peer_tcp(R | A, 0, 1, NULL, 0);
	CHECK(!user.opening && user.open_failed);
	expect_quiet(20000);
}

CASE(tcp_flagless_in_syn_sent, user_opens())
{
	peer_tcp(0, 1, 0, "x", 1);
	peer_tcp(F, 1, 0, NULL, 0);
	peer_tcp(A, 1, 1, NULL, 0);
	expect_quiet(1000);
	CHECK(user.opening);
}

/* 6, 18 and 42 s after the first, failure at 75 s; the slow timer's phase is up to half a second.
 */
CASE(tcp_lost_syn, kernel_start())
{
	static const double times[] = { 6000, 18000, 42000 };

	wait_ms(123);
	user_open();
	struct segment g = expect_any();
	kernel_initial = g.sequence;
	double start = g.ms;
	for (int i = 0; i < 3; i++) {
		double after;

		g = expect_any();
		CHECK_EQUAL(g.flags, S);
		CHECK_EQUAL(g.sequence, kernel_initial);
		CHECK_EQUAL(g.segment_max, 1460);
		after = g.ms - start;
		CHECK(after > times[i] - 550 && after < times[i] + 150);
	}
	wait_ms(start + 74000 - now_ms());
	CHECK(user.opening);
	wait_ms(2000);
	CHECK(!user.opening && user.open_failed);
	expect_quiet(100000);
}

CASE(tcp_data_on_syn_ack, user_opens())
{
	peer_tcp(S | A, 0, 1, "hi", 2);
	CHECK_EQUAL(user.bytes, 2);
	expect(A, 1, 3, 0);
}

CASE(tcp_initial_numbers_differ, half_open())
{
	uint32_t first = kernel_initial;
	twist.from_port = 6000;
	peer_opens();
	CHECK(first != kernel_initial);
}
