/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP's keep-alive: silence, probes, and the end (RFC 1122 4.2.3.6). */
#include "protocols/keepalive/keepalive.h"
#include "test/host/tcp_case.h"

enum { IDLE = 120 };
static const double IDLE_MS = IDLE * 1e3, INTERVAL_MS = KEEPALIVE_INTERVAL * 1e3;

static void watched(void)
{
	connected();
	CHECK(user_control(TCP_SET_KEEPALIVE, IDLE) > 0);
}

/* Off by default. */
CASE(tcp_keepalive_off_by_default, connected())
{
	expect_quiet(KEEPALIVE_SECONDS * 1.5e3);
	CHECK_EQUAL(user_state(), TCP_ESTABLISHED);
}

CASE(tcp_keepalive_probe_comes_after_silence, watched())
{
	double before = now_ms();

	expect_quiet(IDLE_MS - 1000);
	struct segment g = expect(A, 0, 1, 0); /* the byte before the next one */
	CHECK(g.ms - before >= IDLE_MS && g.ms - before < IDLE_MS + 1000);
	CHECK_EQUAL(g.window, KERNEL_WINDOW);
	/* Answered: as long again. */
	peer_tcp(A, 1, 1, NULL, 0);
	before = now_ms();
	expect_quiet(IDLE_MS - 1000);
	g = expect(A, 0, 1, 0);
	CHECK(g.ms - before >= IDLE_MS - 500);
}

/* Eight probes 75 s apart, then the user is told; nothing is left. */
CASE(tcp_keepalive_silent_peer_is_given_up, watched())
{
	expect_quiet(IDLE_MS - 1000);
	double before = expect(A, 0, 1, 0).ms;
	for (int i = 1; i < KEEPALIVE_PROBES; i++) {
		double now = expect(A, 0, 1, 0).ms;

		CHECK(now - before > INTERVAL_MS - 600 && now - before < INTERVAL_MS + 600);
		before = now;
	}
	expect_quiet(INTERVAL_MS - 1000);
	CHECK_EQUAL(user.timed_out, 0);
	expect_quiet(2000);
	CHECK_EQUAL(user.timed_out, 1);
	CHECK_EQUAL(keepalive_counts.given_up, 1);
	CHECK_EQUAL(user_state(), TCP_CLOSED);
	uint64_t blocks = host_blocks_in_use();
	user_close();
	CHECK(host_blocks_in_use() < blocks);
	expect_quiet(2000); /* nobody looks at what was freed */
}

/* One unanswered probe is no reason: the seventh answer counts as well as the first. */
CASE(tcp_keepalive_late_answer_counts, watched())
{
	expect_quiet(IDLE_MS - 1000);
	for (int i = 0; i < KEEPALIVE_PROBES - 1; i++)
		expect(A, 0, 1, 0);
	peer_tcp(A, 1, 1, NULL, 0);
	expect_quiet(IDLE_MS - 1000);
	expect(A, 0, 1, 0);
	CHECK_EQUAL(user.timed_out, 0);
}

/* Data in either direction is news; a peer that has forgotten us answers by RST. */
CASE(tcp_keepalive_traffic_and_reset, watched())
{
	expect_quiet(IDLE_MS - 5000);
	peer_acked(P | A, 1, 1, "x", 1, 2);
	expect_quiet(IDLE_MS - 5000);
	user_sends("y", 1, P | A, 1, 2);
	peer_tcp(A, 2, 2, NULL, 0);
	expect_quiet(IDLE_MS - 5000);
	CHECK_EQUAL(expect_any().flags, A);
	peer_tcp(R, 2, 0, NULL, 0);
	CHECK_EQUAL(user.reset, 1);
	user_close();
	expect_quiet(IDLE_MS);
}

CASE(tcp_keepalive_switched_off_again, watched())
{
	CHECK(user_control(TCP_SET_KEEPALIVE, IDLE) > 0); /* twice is once */
	uint64_t blocks = host_blocks_in_use();
	CHECK(user_control(TCP_SET_KEEPALIVE, 0) > 0);
	CHECK_EQUAL(host_blocks_in_use(), blocks - 1);
	expect_quiet(2 * IDLE_MS);
	host_fail_allocations(0, 1);
	CHECK_EQUAL(user_control(TCP_SET_KEEPALIVE, IDLE), XK_NO_MEMORY);
}

/* While data is sent again, that is probe enough; and who has closed is not probed. */
CASE(tcp_keepalive_not_while_sending_again, watched())
{
	user_sends("y", 1, P | A, 1, 1);
	double until = now_ms() + 2 * IDLE_MS;
	while (now_ms() < until)
		expect(P | A, 1, 1, 1);
	CHECK_EQUAL(keepalive_counts.probes, 0);
	peer_tcp(A, 1, 2, NULL, 0);
	user_closes(2, 1);
	peer_tcp(A, 1, 3, NULL, 0);
	expect_quiet(3 * IDLE_MS);
	CHECK_EQUAL(keepalive_counts.probes, 0);
}

/* A shut window is probed, and that is no sign of life unless it is answered. */
static void shut(void)
{
	watched();
	peer_tcp_window(A, 1, 1, 0);
	user_push("y", 1);
}

CASE(tcp_keepalive_over_a_shut_window, shut())
{
	double begin = now_ms();

	while (!user.timed_out && now_ms() - begin < IDLE_MS + (KEEPALIVE_PROBES + 2) * INTERVAL_MS)
		wait_ms(1000);
	CHECK_EQUAL(user.timed_out, 1);
	CHECK(now_ms() - begin > IDLE_MS + (KEEPALIVE_PROBES - 1) * INTERVAL_MS);
	drop_frames();
}

CASE(tcp_keepalive_answered_over_a_shut_window, shut())
{
	struct segment g;
	double begin = now_ms();

	while (now_ms() - begin < 10 * IDLE_MS) {
		CHECK(next_segment(&g, 70000));
		if (g.bytes)
			peer_tcp_window(A, 1, 1, 0);
	}
	CHECK_EQUAL(user.timed_out, 0);
	CHECK_EQUAL(keepalive_counts.given_up, 0);
}
