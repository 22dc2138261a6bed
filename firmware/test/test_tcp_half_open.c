/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: SYN_RECEIVED, from the first SYN until the user hears of it (RFC 793 3.4, 3.9). */
#include "protocols/tcp/tcp.h"
#include "test/case.h"
#include "test/peer.h"
#include "test/user.h"

static void lost_syn_ack(void)
{
	struct segment g, h;

	kernel_start();
	user_listen();
	peer_tcp(S, 0, 0, NULL, 0);
	g = expect(S | A, 0, 1, 0);
	h = expect(S | A, 0, 1, 0);
	CHECK(h.ms - g.ms > 5400 && h.ms - g.ms < 6200);
	CHECK_EQUAL(h.segment_max, 1460);
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	user_push("x", 1);
	expect(P | A, 1, 1, 1);
}

static void syn_again_in_syn_received(void)
{
	kernel_start();
	user_listen();
	peer_tcp(S, 0, 0, NULL, 0);
	expect(S | A, 0, 1, 0);
	peer_tcp(S, 0, 0, NULL, 0);
	expect(S | A, 0, 1, 0);
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user.accepted, 1);
}

static void bad_ack_in_syn_received(void)
{
	struct segment g;

	kernel_start();
	user_listen();
	peer_tcp(S, 0, 0, NULL, 0);
	expect(S | A, 0, 1, 0);
	peer_tcp(A, 1, 0, NULL, 0);
	g = expect_any();
	CHECK_EQUAL(g.flags, R);
	CHECK_EQUAL(g.sequence, kernel_initial);
	peer_tcp(A, 1, 2, NULL, 0);
	g = expect_any();
	CHECK_EQUAL(g.flags, R);
	CHECK_EQUAL(user.accepted, 0);
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK_EQUAL(user.accepted, 1);
}

static void handshake_ack_with_data_and_fin(void)
{
	kernel_start();
	user_listen();
	peer_tcp(S, 0, 0, NULL, 0);
	expect(S | A, 0, 1, 0);
	peer_tcp(A | P | F, 1, 1, "hello", 5);
	CHECK_EQUAL(user.bytes, 5);
	CHECK_EQUAL(user.peer_closed, 1);
	expect(A, 1, 7, 0);
	CHECK_EQUAL(user_state(), TCP_CLOSE_WAIT);
}

static void data_on_syn_comes_again(void)
{
	kernel_start();
	user_listen();
	peer_tcp(S, 0, 0, "early", 5);
	expect(S | A, 0, 1, 0);
	peer_tcp(A, 1, 1, "early", 5);
	CHECK_EQUAL(user.bytes, 5);
}

static void user_refuses(void)
{
	kernel_start();
	user_listen();
	user.refuse = 1;
	peer_tcp(S, 0, 0, NULL, 0);
	expect(S | A, 0, 1, 0);
	peer_tcp(A, 1, 1, NULL, 0);
	expect(R | A, 1, 1, 0);
	expect_quiet(1000);
}

static void syn_flood(void)
{
	kernel_start();
	user_listen();
	for (int i = 0; i < 100; i++) {
		twist.from_port = (uint16_t)(10000 + i);
		peer_tcp(S, 0, 0, NULL, 0);
		expect(S | A, 0, 1, 0);
	}
	CHECK_EQUAL(tcp_counts.half_open_evicted, 100 - 16);
	peer_connects();
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

static void half_open_is_given_up(void)
{
	struct segment g;

	kernel_start();
	user_listen();
	peer_tcp(S, 0, 0, NULL, 0);
	expect(S | A, 0, 1, 0);
	for (int i = 0; i < 3; i++)
		expect(S | A, 0, 1, 0);
	expect_quiet(60000);
	/* Nothing is left of it: an ACK now meets the listener. */
	peer_tcp(A, 1, 1, NULL, 0);
	g = expect_any();
	CHECK_EQUAL(g.flags, R);
	CHECK_EQUAL(user.timed_out, 0);
}

const struct test_case tcp_half_open_cases[] = {
	{ "tcp_lost_syn_ack", lost_syn_ack },
	{ "tcp_syn_again_in_syn_received", syn_again_in_syn_received },
	{ "tcp_bad_ack_in_syn_received", bad_ack_in_syn_received },
	{ "tcp_handshake_ack_with_data_and_fin", handshake_ack_with_data_and_fin },
	{ "tcp_data_on_syn_comes_again", data_on_syn_comes_again },
	{ "tcp_user_refuses", user_refuses },
	{ "tcp_syn_flood", syn_flood },
	{ "tcp_half_open_is_given_up", half_open_is_given_up },
	{ 0 },
};
