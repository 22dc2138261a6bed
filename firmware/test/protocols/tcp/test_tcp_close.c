/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: closing, in every order. */
#include "test/host/tcp_case.h"

/* Nobody knows this connection any more. */
static void expect_closed(void)
{
	user_unlisten();
	peer_tcp(A, 50, 60, NULL, 0);
	expect(R, 60, 0, 0);
}

CASE(tcp_user_closes_first, connected())
{
	user_closes(1, 1);	    /* FIN_WAIT_1 */
	peer_tcp(A, 1, 2, NULL, 0); /* FIN_WAIT_2 */
	expect_quiet(5000);
	CHECK_EQUAL(user.done, 0);
	peer_acked(F | A, 1, 2, NULL, 0, 2); /* TIME_WAIT */
	CHECK_EQUAL(user.done, 1);
	wait_ms(29000);
	peer_acked(F | A, 1, 2, NULL, 0, 2); /* our ACK was lost: 30 s begin again */
	wait_ms(29000);
	peer_acked(F | A, 1, 2, NULL, 0, 2);
	expect_quiet(31000);
	expect_closed();
	CHECK_EQUAL(user.done, 1);
}

/* The user closes while its push waits. The push holds the session, so the peer's FIN is told. */
CASE(tcp_peer_closes_under_a_blocked_push, connected())
{
	static char big[6000];

	user_push(big, sizeof big);
	user_close();
	peer_tcp(F | A, 1, 1, NULL, 0);
	CHECK_EQUAL(user.pushes_done, 0);
	CHECK_EQUAL(user.peer_closed, 1);
	peer_tcp(R, 2, 0, NULL, 0);
	CHECK_EQUAL(user.pushes_done, 1);
	CHECK_EQUAL(user.push_result, XK_RESET);
}

CASE(tcp_peer_closes_first, connected())
{
	peer_acked(F | A, 1, 1, NULL, 0, 2); /* CLOSE_WAIT */
	CHECK_EQUAL(user.peer_closed, 1);
	CHECK_EQUAL(user_state(), TCP_CLOSE_WAIT);
	user_sends("last words", 10, P | A, 1, 2);
	peer_tcp(A, 2, 11, NULL, 0);
	user_closes(11, 2); /* LAST_ACK */
	CHECK_EQUAL(user.done, 0);
	peer_tcp(A, 2, 12, NULL, 0);
	CHECK_EQUAL(user.done, 1);
	expect_closed();
}

/* Closing inside the notice: the FIN carries the ACK. */
CASE(tcp_fin_carries_ack, connected())
{
	user.close_on_peer = 1;
	peer_tcp(F | A, 1, 1, NULL, 0);
	expect(F | A, 1, 2, 0);
	expect_quiet(1000);
	peer_tcp(A, 2, 2, NULL, 0);
	CHECK_EQUAL(user.done, 1);
	expect_closed();
}

CASE(tcp_close_inside_upcall, connected())
{
	user.close_in_demux = 1;
	peer_tcp(P | A, 1, 1, "x", 1);
	expect(F | A, 1, 2, 0);
	peer_acked(F | A, 2, 2, NULL, 0, 3);
	CHECK_EQUAL(user.done, 1);
}

/* Early data is data that the user did not wait for: it is lost, and the peer is told (RFC 1122
 * 4.2.2.13). The user hears of one message and of one end. */
CASE(tcp_close_inside_upcall_with_early_data, connected())
{
	user.close_in_demux = 1;
	peer_acked(A, 2, 1, "bc", 2, 1);
	peer_acked(A, 5, 1, "e", 1, 1);
	peer_tcp(P | A, 1, 1, "a", 1);
	expect(R, 1, 0, 0);
	CHECK_EQUAL(user.messages, 1);
	CHECK_EQUAL(user.peer_closed, 0);
	CHECK_EQUAL(user.reset, 1);
	CHECK_EQUAL(user.done, 0);
	CHECK_EQUAL(tcp_counts.after_close, 1);
	expect_quiet(100000);
	expect_closed();
}

/* The segment's FIN counts, but nobody is told of it; ours follows at once. */
CASE(tcp_close_inside_upcall_with_fin, connected())
{
	user.close_in_demux = 1;
	peer_tcp(F | P | A, 1, 1, "a", 1);
	expect(F | A, 1, 3, 0);
	CHECK_EQUAL(user.peer_closed, 0);
	peer_tcp(A, 3, 2, NULL, 0);
	CHECK_EQUAL(user.done, 1);
	expect_closed();
}

CASE(tcp_close_inside_upcall_with_early_fin, connected())
{
	user.close_in_demux = 1;
	peer_acked(F | A, 2, 1, NULL, 0, 1);
	peer_tcp(P | A, 1, 1, "a", 1);
	expect(F | A, 1, 3, 0);
	CHECK_EQUAL(user.peer_closed, 0);
	peer_tcp(A, 3, 2, NULL, 0);
	CHECK_EQUAL(user.done, 1);
	expect_closed();
}

CASE(tcp_simultaneous_close, connected())
{
	user_closes(1, 1);
	peer_tcp(F | A, 1, 1, NULL, 0); /* has not seen ours: CLOSING */
	expect(A, 2, 2, 0);
	CHECK_EQUAL(user.done, 0);
	peer_tcp(A, 2, 2, NULL, 0); /* TIME_WAIT */
	CHECK_EQUAL(user.done, 1);
	expect_quiet(29000);
	peer_acked(F | A, 1, 2, NULL, 0, 2);
	expect_quiet(31000);
	expect_closed();
}

CASE(tcp_fin_with_ack_of_ours, connected())
{
	user_closes(1, 1);
	peer_acked(F | A, 1, 2, NULL, 0, 2); /* both at once: straight to TIME_WAIT */
	CHECK_EQUAL(user.done, 1);
}

CASE(tcp_fin_with_data, connected())
{
	peer_tcp(F | P | A, 1, 1, "bye", 3);
	CHECK_EQUAL(user.bytes, 3);
	CHECK_EQUAL(user.peer_closed, 1);
	expect(A, 1, 5, 0);
}

CASE(tcp_fin_out_of_order, connected())
{
	peer_acked(F | A, 4, 1, NULL, 0, 1);
	CHECK_EQUAL(user.peer_closed, 0);
	peer_tcp(A, 1, 1, "abc", 3);
	CHECK_EQUAL(user.bytes, 3);
	CHECK_EQUAL(user.peer_closed, 1);
	expect(A, 1, 5, 0);
}

CASE(tcp_fin_again, connected())
{
	peer_acked(F | A, 1, 1, NULL, 0, 2);
	peer_acked(F | A, 1, 1, NULL, 0, 2);
	CHECK_EQUAL(user.peer_closed, 1);
	peer_tcp(A, 2, 1, "more", 4); /* after its FIN: nonsense */
	CHECK_EQUAL(user.bytes, 0);
}

CASE(tcp_lost_fin, connected())
{
	user_close();
	struct segment g = expect(F | A, 1, 1, 0);
	struct segment h = expect(F | A, 1, 1, 0);
	CHECK(h.ms - g.ms > 500 && h.ms - g.ms < 6200);
	peer_acked(F | A, 1, 2, NULL, 0, 2);
}

CASE(tcp_data_then_fin, connected())
{
	user_sends("abc", 3, P | A, 1, 1);
	user_push("def", 3); /* held by Nagle */
	user_close();
	peer_tcp(A, 1, 4, NULL, 0);
	expect(F | P | A, 4, 1, 3); /* data and FIN together */
	peer_tcp(A, 1, 7, NULL, 0); /* acknowledges the data, not the FIN */
	expect(F | A, 7, 1, 0);
	peer_tcp(A, 1, 8, NULL, 0);
	expect_quiet(5000);
}

CASE(tcp_half_close, connected())
{
	user_control(TCP_SHUTDOWN, 0);
	expect(F | A, 1, 1, 0);
	peer_tcp(A, 1, 2, NULL, 0);
	CHECK_EQUAL(user_state(), TCP_FIN_WAIT_2);
	peer_tcp(P | A, 1, 2, "still here", 10);
	CHECK_EQUAL(user.bytes, 10);
	expect(A, 2, 11, 0);
	user_push("x", 1);
	CHECK_EQUAL(user.push_result, XK_ERROR);
	peer_acked(F | A, 11, 2, NULL, 0, 12);
	CHECK_EQUAL(user_state(), TCP_TIME_WAIT);
	CHECK_EQUAL(user.done, 1);
	user_close();
	expect_quiet(40000);
}

CASE(tcp_data_after_close, connected())
{
	user_closes(1, 1);
	peer_tcp(P | A, 1, 2, "x", 1);
	expect(R, 2, 0, 0);
	CHECK_EQUAL(tcp_counts.after_close, 1);
	expect_closed();
}

CASE(tcp_fin_wait_2_ends, connected())
{
	user_closes(1, 1);
	peer_tcp(A, 1, 2, NULL, 0);
	expect_quiet(599000);
	expect_quiet(2000);
	expect_closed();
}

CASE(tcp_syn_in_time_wait, connected())
{
	user_closes(1, 1);
	peer_acked(F | A, 1, 2, NULL, 0, 2);
	uint32_t old = kernel_initial;
	peer_tcp(S, 1, 0, NULL, 0); /* not beyond: an old one */
	expect(A, 2, 2, 0);
	peer_initial += 1000;
	peer_opens();
	CHECK((int32_t)(kernel_initial - (old + 2)) > 0);
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user.accepted, 2);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

CASE(tcp_nothing_is_left, listening())
{
	uint64_t before = host_blocks_in_use();

	for (int i = 0; i < 3; i++) {
		peer_port++;
		user.echo = 1;
		peer_connects();
		peer_tcp(P | A, 1, 1, "x", 1);
		expect(P | A, 1, 2, 1);
		peer_acked(A, 5, 2, "early", 5, 2);
		user_closes(2, 2);
		peer_acked(F | A, 2, 3, NULL, 0, 3);
	}
	wait_ms(200000); /* TIME_WAIT, then the idle collectors */
	CHECK_EQUAL(host_blocks_in_use(), before);
	peer_port++;
	peer_connects(); /* sessions come back on demand */
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}
