/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: segments for states without a connection, CLOSED and LISTEN (RFC 793 3.4, 3.9). */
#include "test/host/tcp_case.h"

CASE(tcp_syn_to_closed_port, kernel_start())
{
	peer_tcp(S, 0, 0, NULL, 0);
	expect(R | A, 0 - kernel_initial, 1, 0);
	expect_quiet(1000);
}

CASE(tcp_syn_with_data_to_closed_port, kernel_start())
{
	peer_tcp(S | F, 0, 0, "abc", 3);
	expect(R | A, 0 - kernel_initial, 5, 0);
}

CASE(tcp_ack_to_closed_port, kernel_start())
{
	peer_tcp(A, 7, 9, NULL, 0);
	expect(R, 9, 0, 0);
	expect_quiet(1000);
}

CASE(tcp_reset_to_closed_port, kernel_start())
{
	peer_tcp(R, 7, 0, NULL, 0);
	peer_tcp(R | A, 7, 9, NULL, 0);
	expect_quiet(1000);
	CHECK_EQUAL(tcp_counts.resets_sent, 0);
}

CASE(tcp_ack_to_listen, listening())
{
	peer_tcp(A, 7, 9, NULL, 0);
	expect(R, 9, 0, 0);
	peer_connects();
}

CASE(tcp_ignored_in_listen, listening())
{
	peer_tcp(R, 0, 0, NULL, 0);
	peer_tcp(R | S, 0, 0, NULL, 0);
	peer_tcp(F, 0, 0, NULL, 0);
	peer_tcp(0, 0, 0, "data", 4);
	peer_tcp(S | F, 0, 0, NULL, 0);
	expect_quiet(1000);
	peer_connects();
}
