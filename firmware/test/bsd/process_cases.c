/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers of the production stack that are not the x-kernel's (other_cases.toml): a program reads
 * when TCP is done with the segment, not in the middle of it. */
#include "protocols/eth/eth.h"
#include "protocols/ip/ip.h"
#include "test/host/tcp_case.h"

/* The FIN is acknowledged before the program hears of it, so that its own comes after. */
CASE(bsd_fin_is_acknowledged_first, connected())
{
	user.close_on_peer = 1;
	peer_acked(F | A, 1, 1, NULL, 0, 2);
	expect(F | A, 1, 2, 0);
	expect_quiet(1000);
	CHECK_EQUAL(user.peer_closed, 1);
	peer_tcp(A, 2, 2, NULL, 0);
	CHECK_EQUAL(user.done, 1);
}

CASE(bsd_fin_with_text, connected())
{
	user.close_in_demux = 1;
	peer_acked(F | P | A, 1, 1, "a", 1, 3);
	expect(F | A, 1, 3, 0);
	CHECK_EQUAL(user.peer_closed, 0);
	peer_tcp(A, 3, 2, NULL, 0);
	CHECK_EQUAL(user.done, 1);
}

CASE(bsd_early_fin, connected())
{
	user.close_in_demux = 1;
	peer_acked(F | A, 2, 1, NULL, 0, 1);
	peer_acked(P | A, 1, 1, "a", 1, 3);
	expect(F | A, 1, 3, 0);
	CHECK_EQUAL(user.peer_closed, 0);
	peer_tcp(A, 3, 2, NULL, 0);
	CHECK_EQUAL(user.done, 1);
}

CASE(bsd_reset_in_last_ack, connected())
{
	user.close_on_peer = 1;
	peer_acked(F | A, 1, 1, NULL, 0, 2);
	expect(F | A, 1, 2, 0);
	peer_tcp(R, 2, 0, NULL, 0);
	CHECK_EQUAL(user.done, 1);
	expect_quiet(100000);
}

/* The program reads in one what is contiguous, early text too; what comes for a closed socket is
 * answered by a reset. */
CASE(bsd_early_text_is_read_in_one, connected())
{
	user.close_in_demux = 1;
	peer_acked(A, 2, 1, "bc", 2, 1);
	peer_acked(A, 5, 1, "e", 1, 1);
	peer_acked(P | A, 1, 1, "a", 1, 4);
	expect(F | A, 1, 4, 0);
	CHECK_EQUAL(user.messages, 1);
	CHECK_EQUAL(user.bytes, 3);
	peer_tcp(A, 4, 2, "d", 1);
	expect(R, 2, 0, 0);
	CHECK_EQUAL(user.reset, 1);
	CHECK_EQUAL(tcp_counts.after_close, 1);
	expect_quiet(100000);
}

/* The socket of a connection that nobody keeps is closed, and what it has received is lost: the
 * peer hears of that (RFC 1122 4.2.2.13). */
CASE(bsd_user_does_not_keep_it, listening())
{
	user.ignore = 1;
	peer_opens();
	peer_tcp(F | P | A, 1, 1, "data", 4);
	expect(A, 1, 6, 0);
	expect(R | A, 1, 6, 0);
	CHECK_EQUAL(user.accepted, 1);
	CHECK_EQUAL(user.messages, 0);
	CHECK_EQUAL(user.peer_closed, 0);
	CHECK_EQUAL(user.reset, 1);
}

/* Reading would send it, too: here nobody reads. */
CASE(bsd_second_segment_without_a_reader, connected())
{
	double sent = now_ms();

	user.keep_space = 1;
	peer_tcp(A, 1, 1, "a", 1);
	peer_tcp(A, 2, 1, "b", 1);
	CHECK(expect(A, 1, 3, 0).ms == sent);
	expect_quiet(1000);
}

/* Nothing but TCP stands above IP, and nothing but IP above Ethernet: ICMP, UDP, BLAST, BIDCTL;
 * ARP.
 */
CASE(bsd_other_protocols, listening())
{
	static const int numbers[] = { 1, 17, 101, 205 };
	const size_t all = sizeof numbers / sizeof *numbers;

	for (size_t i = 0; i < all; i++) {
		twist.protocol = numbers[i];
		peer_tcp(S, 0, 0, NULL, 0);
	}
	twist.ethertype = 0x0806;
	peer_tcp(S, 0, 0, NULL, 0);
	expect_quiet(1000);
	CHECK_EQUAL(ip_counts.unknown_protocol, all);
	CHECK_EQUAL(eth_counts.unknown_type, 1);
	peer_connects();
}
