/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: segments for states without a connection, CLOSED and LISTEN (RFC 793 3.4, 3.9). */
#include "protocols/tcp/tcp.h"
#include "test/case.h"
#include "test/peer.h"
#include "test/user.h"

static void syn_to_closed_port(void)
{
	kernel_start();
	peer_tcp(S, 0, 0, NULL, 0);
	expect(R | A, 0 - kernel_initial, 1, 0);
	expect_quiet(1000);
}

static void syn_with_data_to_closed_port(void)
{
	kernel_start();
	peer_tcp(S | F, 0, 0, "abc", 3);
	expect(R | A, 0 - kernel_initial, 5, 0);
}

static void ack_to_closed_port(void)
{
	struct segment g;

	kernel_start();
	peer_tcp(A, 7, 9, NULL, 0);
	g = expect_any();
	CHECK_EQUAL(g.flags, R);
	CHECK_EQUAL(g.sequence, kernel_initial + 9);
	expect_quiet(1000);
}

static void reset_to_closed_port(void)
{
	kernel_start();
	peer_tcp(R, 7, 0, NULL, 0);
	peer_tcp(R | A, 7, 9, NULL, 0);
	expect_quiet(1000);
	CHECK_EQUAL(tcp_counts.resets_sent, 0);
}

static void ack_to_listen(void)
{
	struct segment g;

	kernel_start();
	user_listen();
	peer_tcp(A, 7, 9, NULL, 0);
	g = expect_any();
	CHECK_EQUAL(g.flags, R);
	CHECK_EQUAL(g.sequence, kernel_initial + 9);
	peer_connects();
}

static void ignored_in_listen(void)
{
	kernel_start();
	user_listen();
	peer_tcp(R, 0, 0, NULL, 0);
	peer_tcp(R | S, 0, 0, NULL, 0);
	peer_tcp(F, 0, 0, NULL, 0);
	peer_tcp(0, 0, 0, "data", 4);
	peer_tcp(S | F, 0, 0, NULL, 0);
	expect_quiet(1000);
	peer_connects();
}

const struct test_case tcp_closed_cases[] = {
	{ "tcp_syn_to_closed_port", syn_to_closed_port },
	{ "tcp_syn_with_data_to_closed_port", syn_with_data_to_closed_port },
	{ "tcp_ack_to_closed_port", ack_to_closed_port },
	{ "tcp_reset_to_closed_port", reset_to_closed_port },
	{ "tcp_ack_to_listen", ack_to_listen },
	{ "tcp_ignored_in_listen", ignored_in_listen },
	{ 0 },
};
