/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: retransmission, persist, congestion. */
#include "test/host/tcp_case.h"

/* After a fast handshake the time-out is 3 ticks; then it doubles to 64 s, 12 tries, and the user
 * hears of it. */
CASE(tcp_lost_data, connected())
{
	double before, gap, last_gap = 0;
	int tries = 0;

	user_push("x", 1);
	before = expect(P | A, 1, 1, 1).ms;
	while (!user.timed_out) {
		struct host_frame f;

		host_run(host_now() + 70000ull * 175000, 1);
		if (user.timed_out || !host_take(&f))
			break;
		gap = (double)f.time / 175000 - before;
		before += gap;
		CHECK(gap > last_gap * 1.4 || gap > 63000);
		CHECK(gap < 64600);
		last_gap = gap;
		tries++;
	}
	CHECK_EQUAL(tries, 12);
	CHECK_EQUAL(user.timed_out, 1);
	CHECK_EQUAL(user_state(), TCP_CLOSED);
	peer_tcp(A, 1, 2, NULL, 0);
	CHECK_EQUAL(expect_any().flags, R);
}

CASE(tcp_retransmission_is_the_same_data, connected())
{
	user_push("abc", 3);
	struct segment g = expect(P | A, 1, 1, 3);
	struct segment h = expect(P | A, 1, 1, 3);
	CHECK(!memcmp(g.data, h.data, 3));
	CHECK_EQUAL((h.ident - g.ident) & 0xffff, 1);
	peer_tcp(A, 1, 4, NULL, 0);
	expect_quiet(100000);
	CHECK_EQUAL(tcp_counts.retransmit_timeouts, 1);
}

/* The ACK of a repeated segment tells no round trip: the doubled time-out stays (Karn). */
CASE(tcp_back_off_stays, connected())
{
	user_sends("a", 1, P | A, 1, 1);
	expect(P | A, 1, 1, 1);
	peer_tcp(A, 1, 2, NULL, 0);
	user_push("b", 1);
	struct segment g = expect(P | A, 2, 1, 1);
	struct segment h = expect(P | A, 2, 1, 1);
	CHECK(h.ms - g.ms > 2900 && h.ms - g.ms < 3100);
}

CASE(tcp_zero_window, connected())
{
	static const double gaps[] = { 5000, 5000, 5000, 8000 }; /* 2 ticks doubled, at least 10 */

	user_sends("a", 1, P | A, 1, 1);
	peer_tcp_window(A, 1, 2, 0);
	user_push("bcd", 3);
	double before = now_ms();
	for (int i = 0; i < 4; i++) {
		struct segment g = expect(A, 2, 1, 1);

		CHECK(g.data[0] == 'b');
		CHECK(g.ms - before > gaps[i] - 550 && g.ms - before < gaps[i] + 150);
		before = g.ms;
		peer_tcp_window(A, 1, 2, 0); /* still shut */
	}
	wait_ms(600000); /* never gives up */
	CHECK_EQUAL(user.timed_out, 0);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
	drop_frames();
	peer_tcp_window(A, 1, 2, 100);
	expect(P | A, 2, 1, 3);
	peer_tcp(A, 1, 5, NULL, 0);
	expect_quiet(100000);
}

CASE(tcp_persist_grows_to_a_minute, connected())
{
	double before, gap = 0;

	user_sends("a", 1, P | A, 1, 1);
	peer_tcp_window(A, 1, 2, 0);
	user_push("b", 1);
	before = now_ms();
	for (int i = 0; i < 12; i++) {
		struct segment g = expect(A, 2, 1, 1);

		CHECK(g.ms - before > gap - 600);
		gap = g.ms - before;
		before = g.ms;
	}
	CHECK(gap > 31000 && gap < 60600);
}

CASE(tcp_probe_is_taken, connected())
{
	user_sends("a", 1, P | A, 1, 1);
	peer_tcp_window(A, 1, 2, 0);
	user_push("bcd", 3);
	expect(A, 2, 1, 1);
	peer_tcp_window(A, 1, 3, 0); /* took the byte, is shut again */
	expect(A, 3, 1, 1);
	peer_tcp_window(A, 1, 4, 10);
	expect(P | A, 4, 1, 1);
}

CASE(tcp_close_in_zero_window, connected())
{
	user_sends("a", 1, P | A, 1, 1);
	peer_tcp_window(A, 1, 2, 0);
	user_push("b", 1);
	user_close();
	expect(A, 2, 1, 1); /* the probe, without FIN */
	peer_tcp_window(A, 1, 2, 50);
	expect(F | P | A, 2, 1, 1);
	peer_tcp(A, 1, 4, NULL, 0);
	expect_quiet(60000);
}

/* Nobody is left whom the window could open for: 12 probes without an answer end it. */
CASE(tcp_persist_ends_when_the_user_has_gone, connected())
{
	uint64_t blocks = host_blocks_in_use();
	int probes = 0;
	struct segment g;

	peer_tcp_window(A, 1, 1, 0);
	user_push("b", 1);
	user_close();
	while (next_segment(&g, 100000))
		probes++;
	CHECK_EQUAL(probes, 12);
	CHECK(host_blocks_in_use() < blocks);
	CHECK_EQUAL(tcp_counts.connections_dropped, 1);
}

/* An answer starts the count anew. */
CASE(tcp_persist_goes_on_while_it_is_answered, connected())
{
	peer_tcp_window(A, 1, 1, 0);
	user_push("b", 1);
	user_close();
	for (int i = 0; i < 40; i++) {
		expect(A, 1, 1, 1);
		if (i % 8 == 7)
			peer_tcp_window(A, 1, 1, 0);
	}
	peer_tcp_window(A, 1, 1, 50);
	expect(F | P | A, 1, 1, 1);
}

/* An older segment that arrives late must not set the window back. */
CASE(tcp_old_window_is_ignored, connected())
{
	user_control(TCP_SET_NO_DELAY, 1);
	peer_acked(A, 1, 1, "ab", 2, 3);
	peer_tcp_window(A, 1, 1, 0); /* from before "ab" */
	expect(A, 1, 3, 0);
	user_sends("x", 1, P | A, 1, 3);
}

CASE(tcp_window_shrinks, connected())
{
	static char big[2000];

	user_push(big, 1024);
	expect(A, 1, 1, 512);
	peer_tcp(A, 1, 513, NULL, 0);
	expect(A, 513, 1, 512);
	peer_tcp_window(A, 1, 513, 0); /* took back what it had offered */
	struct segment g = expect_any();
	CHECK_EQUAL(g.sequence - kernel_initial, 513);
	peer_tcp(A, 1, 1025, NULL, 0);
	expect_quiet(10000);
}

CASE(tcp_fast_retransmit)
{
	static char big[4096];

	for (size_t i = 0; i < sizeof big; i++)
		big[i] = (char)i;
	uint32_t next = four_under_way(big, SEGMENT);
	peer_tcp(A, 1, 1537, NULL, 0);
	peer_tcp(A, 1, 1537, NULL, 0);
	expect_quiet(10);
	peer_tcp(A, 1, 1537, NULL, 0);
	expect(A, 1537, 1, 512); /* one, at once */
	expect_quiet(10);
	CHECK_EQUAL(tcp_counts.fast_retransmits, 1);
	peer_tcp(A, 1, 1537, NULL, 0); /* a fourth changes nothing */
	expect_quiet(10);
	peer_tcp(A, 1, next, NULL, 0); /* window one plus one: the last goes */
	expect(P | A, next, 1, 512);
	CHECK_EQUAL(tcp_counts.retransmit_timeouts, 0);
}

CASE(tcp_full_ring_is_a_loss, connected())
{
	host_transmit_full(1);
	user_push("x", 1);
	CHECK_EQUAL(user.push_result, XK_OK);
	expect_quiet(400);
	host_transmit_full(0);
	expect(P | A, 1, 1, 1);
	CHECK_EQUAL(tcp_counts.transmit_full, 1);
	CHECK_EQUAL(tcp_counts.no_memory, 0);
}
