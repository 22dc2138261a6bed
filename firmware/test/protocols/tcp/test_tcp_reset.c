/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: resets and SYNs where they do not belong, damaged segments. */
#include "protocols/ip/ip.h"
#include "test/host/tcp_case.h"

CASE(tcp_reset_at_left_edge, connected())
{
	peer_tcp(R, 1, 0, NULL, 0);
	CHECK_EQUAL(user.reset, 1);
	CHECK_EQUAL(user_state(), TCP_CLOSED);
	expect_quiet(1000);
}

CASE(tcp_reset_at_right_edge, connected())
{
	peer_tcp(R, 1 + KERNEL_WINDOW, 0, NULL, 0);
	CHECK_EQUAL(user.reset, 0);
	peer_tcp(R, KERNEL_WINDOW, 0, NULL, 0);
	CHECK_EQUAL(user.reset, 1);
}

CASE(tcp_reset_outside_window, connected())
{
	peer_tcp(R, 0, 0, NULL, 0);
	peer_tcp(R, 100000, 0, NULL, 0);
	expect_quiet(1000);
	CHECK_EQUAL(user.reset, 0);
	CHECK_EQUAL(tcp_counts.reset_outside_window, 2);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

CASE(tcp_reset_in_syn_received, half_open())
{
	peer_tcp(R, 1, 0, NULL, 0);
	expect_quiet(10000); /* back to LISTEN, no retransmission */
	CHECK_EQUAL(user.accepted, 0);
	CHECK_EQUAL(user.refused + user.reset, 0);
	peer_connects();
}

CASE(tcp_reset_in_fin_wait_1, connected())
{
	user_closes(1, 1);
	peer_tcp(R, 1, 0, NULL, 0);
	expect_quiet(20000);
	CHECK_EQUAL(user.reset, 1);
}

CASE(tcp_reset_in_time_wait, connected())
{
	user_closes(1, 1);
	peer_acked(F | A, 1, 2, NULL, 0, 2);
	peer_tcp(R, 2, 0, NULL, 0);
	CHECK_EQUAL(user.reset, 0);
	CHECK_EQUAL(user.done, 1);
	peer_tcp(F | A, 1, 2, NULL, 0); /* unknown now: meets the listener */
	CHECK_EQUAL(expect_any().flags, R);
}

CASE(tcp_reset_in_last_ack, connected())
{
	user.close_on_peer = 1;
	peer_tcp(F | A, 1, 1, NULL, 0);
	expect(F | A, 1, 2, 0);
	peer_tcp(R, 2, 0, NULL, 0);
	CHECK_EQUAL(user.reset, 0);
	CHECK_EQUAL(user.done, 1);
	expect_quiet(20000);
}

CASE(tcp_reset_wakes_a_blocked_push, connected())
{
	static char big[6000];

	user_push(big, sizeof big);
	CHECK_EQUAL(user.pushes_done, 0);
	peer_tcp(R, 1, 0, NULL, 0);
	CHECK_EQUAL(user.pushes_done, 1);
	CHECK_EQUAL(user.push_result, XK_RESET);
}

CASE(tcp_syn_in_window, connected())
{
	peer_tcp(S | A, 100, 1, NULL, 0);
	CHECK_EQUAL(expect_any().flags, R);
	CHECK_EQUAL(user.reset, 1);
	CHECK_EQUAL(tcp_counts.syn_in_window, 1);
	expect_quiet(1000);
}

CASE(tcp_syn_left_of_window, connected())
{
	peer_tcp(S, 0, 0, NULL, 0);
	expect(A, 1, 1, 0);
	peer_tcp(S, 0 - 1000u, 0, NULL, 0);
	expect(A, 1, 1, 0);
	CHECK_EQUAL(user.reset, 0);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

CASE(tcp_user_aborts, connected())
{
	user_control(TCP_ABORT, 0);
	expect(R | A, 1, 1, 0);
	CHECK_EQUAL(user_state(), TCP_CLOSED);
	user_close();
	expect_quiet(1000);
}

CASE(tcp_bad_checksum, connected())
{
	twist.bad_tcp_checksum = 1;
	peer_tcp(P | A, 1, 1, "x", 1);
	twist.bad_tcp_checksum = 1;
	peer_tcp(R, 1, 0, NULL, 0);
	expect_quiet(1000);
	CHECK_EQUAL(tcp_counts.bad_checksum, 2);
	CHECK_EQUAL(user.bytes, 0);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

CASE(tcp_bad_offset, connected())
{
	static const int bad[] = { 4, 6, 15 }; /* too short, beyond the segment's end */

	for (int i = 0; i < 3; i++) {
		twist.offset_words = bad[i];
		peer_tcp(P | A, 1, 1, "x", 1);
	}
	expect_quiet(1000);
	CHECK_EQUAL(tcp_counts.bad_offset, 3);
	CHECK_EQUAL(user.bytes, 0);
}

CASE(tcp_too_short, connected())
{
	twist.total_delta = -1; /* 19 bytes of TCP */
	peer_tcp(A, 1, 1, NULL, 0);
	twist.total_delta = -20; /* none at all */
	peer_tcp(A, 1, 1, NULL, 0);
	expect_quiet(1000);
	CHECK_EQUAL(tcp_counts.too_short, 2);
}

CASE(tcp_to_broadcast, listening())
{
	twist.destination = 0x0a0000ff;
	twist.to_broadcast = 1;
	peer_tcp(S, 0, 0, NULL, 0);
	twist.destination = 0xffffffff;
	peer_tcp(S, 0, 0, NULL, 0);
	expect_quiet(1000);
	CHECK_EQUAL(tcp_counts.not_ours, 2);
}

/* A datagram to our own address in a frame to everybody (RFC 1122 3.3.6). */
CASE(tcp_to_us_in_a_broadcast_frame, listening())
{
	twist.to_broadcast = 1;
	peer_tcp(S, 0, 0, NULL, 0);
	twist.to_broadcast = 1;
	twist.protocol = 17; /* UDP, to a port that nobody has: no answer either */
	peer_tcp(S, 0, 0, NULL, 0);
	expect_quiet(1000);
	CHECK_EQUAL(ip_counts.link_broadcast, 2);
	peer_connects();
	twist.to_broadcast = 1;
	peer_tcp(P | A, 1, 1, "x", 1);
	expect_quiet(1000);
	CHECK_EQUAL(user.bytes, 0);
	CHECK_EQUAL(ip_counts.link_broadcast, 3);
}

/* Neither RFC 5961 nor RFC 1337 is followed, as docs/reference/protocols/tcp.md says. */
CASE(tcp_departures, connected())
{
	peer_tcp(P | A, 1, 1 - 1000000000u, "x", 1); /* RFC 5961 5.2 */
	CHECK_EQUAL(user.bytes, 1);
	user_sends("abc", 3, P | A, 1, 2);
	peer_acked(A, 1 - 2000000u, 4, "old", 3, 2); /* its ACK counts, and is answered */
	expect_quiet(100000);
	CHECK_EQUAL(tcp_counts.retransmit_timeouts, 0);
}
