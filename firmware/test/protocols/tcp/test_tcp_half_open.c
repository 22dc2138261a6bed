/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: SYN_RECEIVED, from the first SYN until the user hears of it (RFC 793 3.4, 3.9). */
#include "test/host/tcp_case.h"

CASE(tcp_lost_syn_ack, listening())
{
	peer_tcp(S, 0, 0, NULL, 0);
	struct segment g = expect(S | A, 0, 1, 0);
	struct segment h = expect(S | A, 0, 1, 0);
	CHECK(h.ms - g.ms > 5400 && h.ms - g.ms < 6200);
	CHECK_EQUAL(h.segment_max, 1460);
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	user_sends("x", 1, P | A, 1, 1);
}

CASE(tcp_syn_again_in_syn_received, half_open())
{
	peer_opens();
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user.accepted, 1);
}

CASE(tcp_bad_ack_in_syn_received, half_open())
{
	peer_tcp(A, 1, 0, NULL, 0);
	expect(R, 0, 0, 0);
	peer_tcp(A, 1, 2, NULL, 0);
	CHECK_EQUAL(expect_any().flags, R);
	CHECK_EQUAL(user.accepted, 0);
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user.accepted, 1);
}

CASE(tcp_handshake_ack_with_data_and_fin, half_open())
{
	peer_tcp(A | P | F, 1, 1, "hello", 5);
	CHECK_EQUAL(user.bytes, 5);
	CHECK_EQUAL(user.peer_closed, 1);
	expect(A, 1, 7, 0);
	CHECK_EQUAL(user_state(), TCP_CLOSE_WAIT);
}

CASE(tcp_data_on_syn_comes_again, listening())
{
	peer_tcp(S, 0, 0, "early", 5);
	expect(S | A, 0, 1, 0);
	peer_tcp(A, 1, 1, "early", 5);
	CHECK_EQUAL(user.bytes, 5);
}

CASE(tcp_user_refuses, listening())
{
	user.refuse = 1;
	peer_opens();
	peer_tcp(A, 1, 1, NULL, 0);
	expect(R | A, 1, 1, 0);
	expect_quiet(1000);
}

/* The handshake's ACK brings data and a FIN for a user who does not keep the session. */
CASE(tcp_user_does_not_keep_it, listening())
{
	user.ignore = 1;
	peer_opens();
	peer_tcp(F | P | A, 1, 1, "data", 4);
	expect(F | A, 1, 1, 0);
	CHECK_EQUAL(user.accepted, 1);
	CHECK_EQUAL(user.messages, 0);
	CHECK_EQUAL(user.peer_closed, 0);
	peer_tcp(F | P | A, 1, 2, "data", 4); /* again: it is for nobody */
	CHECK_EQUAL(expect_any().flags, R);
	CHECK_EQUAL(user.reset, 1);
}

/* Nobody listens any more: the half-open connections of that port are reset. */
CASE(tcp_listener_goes, listening())
{
	struct segment g;
	uint64_t blocks = host_blocks_in_use();

	peer_connects();
	for (uint16_t port = 6000; port < 6003; port++) {
		twist.from_port = port;
		peer_tcp(S, 0, 0, NULL, 0);
		CHECK_EQUAL(expect_any().flags, S | A);
	}
	user_unlisten();
	for (int i = 0; i < 3; i++) {
		g = expect_any();
		CHECK_EQUAL(g.flags, R | A);
		CHECK(g.destination >= 6000 && g.destination < 6003);
		CHECK_EQUAL(g.ack, peer_initial + 1);
	}
	twist.from_port = 6000;
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(expect_any().flags, R);
	CHECK_EQUAL(user.accepted, 1);
	CHECK_EQUAL(user.reset, 0);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	user_control(TCP_ABORT, 0);
	user_close();
	expect_any();
	expect_quiet(100000);
	CHECK(host_blocks_in_use() <= blocks + host_stacks());
}

CASE(tcp_listener_of_another_port_goes, listening())
{
	kernel_port = KERNEL_PORT + 1;
	user_listen_on(kernel_port);
	peer_opens();
	user_unlisten();
	expect_quiet(1000);
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user.accepted, 1);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

CASE(tcp_syn_flood, listening())
{
	for (int i = 0; i < 100; i++) {
		twist.from_port = (uint16_t)(10000 + i);
		peer_opens();
	}
	CHECK_EQUAL(tcp_counts.half_open_evicted, 100 - 16);
	peer_connects();
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

CASE(tcp_half_open_is_given_up, half_open())
{
	for (int i = 0; i < 3; i++)
		expect(S | A, 0, 1, 0);
	expect_quiet(60000);
	/* Nothing is left of it: an ACK now meets the listener. */
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(expect_any().flags, R);
	CHECK_EQUAL(user.timed_out, 0);
}
