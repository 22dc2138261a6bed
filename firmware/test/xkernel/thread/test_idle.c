/* SPDX-License-Identifier: BSD-2-Clause */
/* Cached sessions: bounded, collected when idle, shepherds never lost. */
#include "protocols/eth/eth.h"
#include "protocols/ip/ip.h"
#include "test/host/tcp_case.h"
#include "xkernel/thread/idle.h"
#include "xkernel/thread/shepherd.h"

CASE(idle_sessions_are_bounded, kernel_start())
{
	uint64_t before = host_blocks_in_use();

	for (uint32_t i = 0; i < 1000; i++) {
		struct host_frame f;

		twist.source = 0x0a000100 + i;
		peer_tcp(R, 0, 0, NULL, 0);
		CHECK(!host_take(&f));
	}
	uint64_t bound = before + 2 * (IDLE_MAX_SESSIONS + 2);
	CHECK(host_blocks_in_use() <= bound + 8);
	CHECK_EQUAL(ip_counts.no_memory, 0);
	wait_ms(90000);
	CHECK_EQUAL(host_blocks_in_use(), before);
}

CASE(idle_shepherds_run_out_and_recover, kernel_start())
{
	uint8_t frame[60];

	memset(frame, 0, sizeof frame);
	for (int i = 0; i < SHEPHERDS + 10; i++)
		host_deliver(frame, sizeof frame);
	wait_ms(1);
	CHECK_EQUAL(shepherd_counts.none_left, 10);
	CHECK_EQUAL(shepherd_counts.delivered, SHEPHERDS);
	user_listen();
	peer_connects();
}

/* Every receive message is held by somebody and memory is out: fed again by time. */
CASE(idle_starved_shepherds_are_fed, connected())
{
	for (uint32_t i = 0; i < 12; i++) {
		host_fail_allocations(1, 1000000); /* the early queue's entry, then none */
		peer_tcp(A, 3 + 2 * i, 1, "x", 1);
	}
	wait_ms(1000);
	CHECK(shepherd_counts.refresh_failed > 0);
	host_fail_allocations(0, 0);
	wait_ms(200);
	drop_frames();
	for (int i = 0; i < 2 * SHEPHERDS; i++) {
		peer_acked(A, 0, 1, NULL, 0, 1);
	}
	CHECK_EQUAL(shepherd_counts.none_left, 0);
}

static void close_twice(void *)
{
	static const struct xobj_ops ops = { XOBJ_DEFAULTS };
	static struct xobj session = { .ops = &ops, .name = "test" };

	xDuplicate(&session);
	xClose(&session);
	xClose(&session);
}

/* The caller's mistake ends the machine with a message (XK_CHECKS). */
CASE(idle_closed_too_often_is_refused, kernel_start())
{
	host_call(close_twice, NULL);
	CHECK_EQUAL(host_exit_code(), 1);
	CHECK(strstr(host_console(), "test: a session is closed more often"));
}
