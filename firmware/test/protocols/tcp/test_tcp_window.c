/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: a window that shrinks or closes while data are under way (RFC 9293 3.8.6). */
#include "test/host/tcp_case.h"

enum { LONGER_THAN_TWELVE_TRIES = 700000 }; /* ms; they take 543 s */

/* Two segments of 512 bytes, 513 and 1025, and room in the congestion window for both. */
static void two_under_way(void)
{
	static char big[1024];

	connected();
	user_sends(big, 512, A, 1, 1);
	peer_tcp(A, 1, 513, NULL, 0);
	user_push(big, 1024);
	expect(A, 513, 1, 512);
	expect(P | A, 1025, 1, 512);
}

/* Each probe is one byte; the peer answers each, and its window stays shut. */
static void probed_for_ever(uint32_t sequence, uint32_t peer_next)
{
	double begin = now_ms(), before = begin;

	while (now_ms() - begin < LONGER_THAN_TWELVE_TRIES) {
		struct segment g = expect(A, sequence, 1, 1);

		CHECK(g.ms - before < 60600);
		before = g.ms;
		peer_tcp_window(A, peer_next, sequence, 0);
	}
	CHECK_EQUAL(user.timed_out, 0);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	CHECK(tcp_counts.persist_probes >= 12);
}

CASE(tcp_window_shut_with_an_early_byte, connected())
{
	user_sends("abcd", 4, P | A, 1, 1);
	peer_window = 0;
	peer_acked(A, 2, 1, "y", 1, 1); /* out of order: it is owed an ACK at once */
	probed_for_ever(1, 3);
	peer_tcp_window(A, 3, 1, 100);
	expect(P | A, 1, 1, 4);
}

CASE(tcp_window_shut_after_the_first_of_two, two_under_way())
{
	peer_tcp_window(A, 1, 1025, 0);
	probed_for_ever(1025, 1);
	double reopened = now_ms();
	peer_tcp_window(A, 1, 1025, 4096);
	CHECK(expect(P | A, 1025, 1, 512).ms - reopened < 1);
	peer_tcp(A, 1, 1537, NULL, 0);
	expect_quiet(100000);
	CHECK_EQUAL(tcp_counts.retransmit_timeouts, 0);
}

/* RFC 9293 3.10.7.4: of segments with equal numbers the last one's window counts. */
CASE(tcp_window_shut_with_equal_numbers, two_under_way())
{
	peer_tcp_window(A, 1, 513, 0);
	probed_for_ever(513, 1);
	peer_tcp_window(A, 1, 513, 4096);
	expect(A, 513, 1, 512);
}

/* It took what was under way after it had said that it wouldn't. */
CASE(tcp_window_shut_and_all_taken, two_under_way())
{
	peer_tcp_window(A, 1, 1025, 0);
	peer_tcp_window(A, 1, 1537, 0);
	expect_quiet(100000);
	user_sends("x", 1, A, 1537, 1);
	peer_tcp_window(A, 1, 1537, 10);
	expect(P | A, 1537, 1, 1);
}

CASE(tcp_window_shut_to_everything_but_acks, two_under_way())
{
	peer_tcp_window(A, 1, 1025, 0);
	user_push("abc", 3);
	peer_tcp(A, 1, 1025, "in", 2); /* window 8192 with data */
	expect(A, 1025, 3, 512);
	peer_tcp(A, 3, 1537, NULL, 0);
	expect(P | A, 1537, 3, 3);
}

/* Only what fits is sent again (RFC 9293 3.8.6, SHLD-15). */
CASE(tcp_window_shrinks_to_a_part, two_under_way())
{
	peer_tcp_window(A, 1, 513, 100);
	expect(A, 513, 1, 100);
	peer_tcp_window(A, 1, 613, 0);
	expect(A, 613, 1, 1);
	peer_tcp_window(A, 1, 613, 2000);
	expect(A, 613, 1, 512);
}

/* A FIN was under way too. The probe's byte is the last one: then nothing but the FIN is left. */
CASE(tcp_fin_after_the_last_byte_was_probed, connected())
{
	user_sends("a", 1, P | A, 1, 1);
	user_closes(2, 1);
	peer_tcp_window(A, 1, 1, 0);
	expect(A, 1, 1, 1);
	peer_tcp_window(A, 1, 2, 0);
	expect(F | A, 2, 1, 0);
	peer_tcp_window(A, 1, 3, 0);
	expect_quiet(100000);
}

/* The same, but the window opens with the ACK of the last byte. */
CASE(tcp_fin_when_the_window_opens, connected())
{
	user_sends("a", 1, P | A, 1, 1);
	user_closes(2, 1);
	peer_tcp_window(A, 1, 1, 0);
	expect(A, 1, 1, 1);
	peer_tcp_window(A, 1, 2, 100);
	expect(F | A, 2, 1, 0);
}

/* A FIN with no data before it goes all the same. While the peer answers, the tries do not count
 * (RFC 9293 3.8.6.1, MUST-37). */
CASE(tcp_fin_into_a_shut_window, connected())
{
	peer_tcp_window(A, 1, 1, 0);
	user_control(TCP_SHUTDOWN, 0);
	double begin = now_ms();
	while (now_ms() - begin < 2 * LONGER_THAN_TWELVE_TRIES) {
		expect(F | A, 1, 1, 0);
		peer_tcp_window(A, 1, 1, 0);
	}
	CHECK_EQUAL(user.timed_out, 0);
	CHECK_EQUAL(user_state(), TCP_FIN_WAIT_1);
	peer_tcp_window(A, 1, 2, 0);
	CHECK_EQUAL(user_state(), TCP_FIN_WAIT_2);
	expect_quiet(100000);
}

CASE(tcp_fin_into_a_shut_window_without_answer, connected())
{
	peer_tcp_window(A, 1, 1, 0);
	user_control(TCP_SHUTDOWN, 0);
	for (int i = 0; i < 13; i++)
		expect(F | A, 1, 1, 0);
	expect_quiet(100000);
	CHECK_EQUAL(user.timed_out, 1);
}

/* A probe whose byte was the last one leaves nothing to probe for. */
CASE(tcp_nothing_left_to_probe, connected())
{
	user_sends("a", 1, P | A, 1, 1);
	peer_tcp_window(A, 1, 1, 0);
	expect(A, 1, 1, 1);
	peer_tcp_window(A, 1, 2, 0);
	uint64_t probes = tcp_counts.persist_probes;
	expect_quiet(LONGER_THAN_TWELVE_TRIES);
	CHECK_EQUAL(tcp_counts.persist_probes, probes);
}

/* How long a round trip took over a closed window says nothing. */
CASE(tcp_no_round_trip_over_a_closed_window, connected())
{
	user_sends("a", 1, P | A, 1, 1);
	peer_tcp_window(A, 1, 1, 0);
	wait_ms(60000);
	while (now_ms() < 62000)
		expect(A, 1, 1, 1);
	peer_tcp(A, 1, 2, NULL, 0);
	user_push("b", 1);
	struct segment g = expect(P | A, 2, 1, 1);
	struct segment h = expect(P | A, 2, 1, 1);
	CHECK(h.ms - g.ms < 3100);
}

/* The user pushes in its upcall into a full queue, and waits there. What the segment said, the
 * window opens, is heard by the timer of delayed ACKs. */
CASE(tcp_window_opens_over_a_push_that_waits, connected())
{
	static char big[4096];

	peer_tcp_window(A, 1, 1, 0);
	user_push(big, sizeof big);
	user.echo = user.keep_space = 1;
	peer_tcp(A, 1, 1, "x", 1);
	CHECK_EQUAL(user.bytes, 1);
	double now = now_ms();
	CHECK(expect(A, 1, 2, 512).ms - now < 201);
}
