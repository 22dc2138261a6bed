/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN as server, and the rows of the robustness table about it (rpc.md). */
#include "protocols/chan/chan.h"
#include "test/host/rpc_case.h"

CASE(chan_duplicates_while_executing, rpc_serves(CALLER_SLOW))
{
	request(1);
	CHECK_EQUAL(caller.running, 1);
	request(1);
	request(1);
	expect_no_frame(100);
	peer_chan_answered(FROM_CLIENT | USER_MSG | ACK_REQUESTED, 1, 1, "x", 1, 0);
	peer_chan_answered(FROM_CLIENT | ACK_REQUESTED, 1, 1, NULL, 0, 0);
	CHECK_EQUAL(caller.executed, 1);
	caller_let_go();
	expect_chan(USER_MSG, 1, 1);
	CHECK_EQUAL(chan_counts.duplicates, 4);
}

CASE(chan_duplicates_after_the_reply, rpc_serves(CALLER_ECHO))
{
	static const uint32_t asking[] = { FROM_CLIENT | USER_MSG,
					   FROM_CLIENT | USER_MSG | ACK_REQUESTED,
					   FROM_CLIENT | ACK_REQUESTED,
					   FROM_CLIENT | NEGATIVE_ACK };
	struct rpc_frame g;

	served(1);
	for (int i = 0; i < 4; i++) {
		g = peer_chan_answered(asking[i], 1, 1, "x", 1, USER_MSG);
		CHECK_EQUAL(g.user_bytes, 1);
		CHECK_EQUAL(*g.user, 'x');
	}
	peer_chan(FROM_CLIENT, 1, 1, NULL, 0);
	expect_no_frame(100);
	CHECK_EQUAL(caller.executed, 1);
	CHECK_EQUAL(chan_counts.replies_again, 4);
}

CASE(chan_old_sequences, rpc_serves(CALLER_ECHO))
{
	served(5);
	for (uint32_t call = 1; call < 5; call++) {
		request(call);
		peer_chan(FROM_CLIENT | ACK_REQUESTED, 1, call, NULL, 0);
	}
	expect_no_frame(100);
	CHECK_EQUAL(chan_counts.old_sequence, 8);
	CHECK_EQUAL(caller.executed, 1);
}

/* Modulo 2^32, past the wrap. */
CASE(chan_sequence_wraps, rpc_serves(CALLER_ECHO))
{
	served(0xfffffffe);
	served(0xffffffff);
	served(0);
	served(1);
	request(0xffffffff);
	request(0);
	expect_no_frame(100);
	CHECK_EQUAL(caller.executed, 4);
}

/* The reply is not acknowledged: asked for after 8 s, then every 20 s, five times; but kept. */
CASE(chan_reply_asks_for_acknowledgement, rpc_serves(CALLER_ECHO))
{
	static const double seconds[] = { 8, 20, 20, 20, 20 };
	struct rpc_frame g;

	request(1);
	double before = expect_chan(USER_MSG, 1, 1).ms;
	for (int i = 0; i < 5; i++) {
		g = expect_chan(USER_MSG | ACK_REQUESTED, 1, 1);
		CHECK(g.ms - before >= seconds[i] * 1000 - 1 &&
		      g.ms - before <= seconds[i] * 1000 + 2);
		before = g.ms;
	}
	expect_no_frame(100000);
	peer_chan_answered(FROM_CLIENT | ACK_REQUESTED, 1, 1, NULL, 0, USER_MSG);
	peer_chan(FROM_CLIENT, 1, 2, NULL, 0); /* an idle client acknowledges with the next */
	peer_chan(FROM_CLIENT | ACK_REQUESTED, 1, 1, NULL, 0);
	expect_no_frame(100000);
	served(2); /* whose number is still good */
	CHECK_EQUAL(caller.executed, 2);
}

/* The next request comes in the very tick in which the question about the last reply is due, and
 * is processed first: the timer, about to run, is set anew instead. */
CASE(chan_request_meets_timer, rpc_serves(CALLER_ECHO))
{
	double first = now_ms();

	served(1);
	double due = expect_chan(USER_MSG | ACK_REQUESTED, 1, 1).ms - first;
	peer_chan(FROM_CLIENT, 1, 2, NULL, 0);
	wait_ms(first + 20000 - now_ms()); /* a whole number of timer ticks later: all the same */
	served(2);
	wait_ms(due - 0.4);
	host_hold_network();
	request(3);
	CHECK_EQUAL(caller.executed, 2);
	expect_chan(USER_MSG, 1, 3);
	expect_no_frame(due - 2);
	expect_chan(USER_MSG | ACK_REQUESTED, 1, 3);
}

/* A question about a request that never came: NACK; then it comes, whole. */
CASE(chan_probe_for_a_lost_request, rpc_serves(CALLER_ECHO))
{
	peer_chan_answered(FROM_CLIENT | ACK_REQUESTED, 1, 1, NULL, 0,
			   NEGATIVE_ACK); /* even as the first ever */
	served(1);
	peer_chan_answered(FROM_CLIENT | ACK_REQUESTED, 1, 2, NULL, 0, NEGATIVE_ACK);
	served(2);
	CHECK_EQUAL(caller.executed, 2);
}

/* The client has given up a slow call and makes the next: both run, only the second is answered. */
CASE(chan_overtaken, rpc_serves(CALLER_SLOW))
{
	request(1);
	request(2);
	CHECK_EQUAL(caller.running, 2);
	caller_let_go();
	expect_no_frame(100);
	CHECK_EQUAL(chan_counts.unwanted, 1);
	caller_let_go();
	expect_chan(USER_MSG, 1, 2);
	CHECK_EQUAL(caller.executed, 2);
}

/* A channel without traffic for two periods leaves only its sequence, which still protects. */
CASE(chan_dormant, rpc_serves(CALLER_ECHO))
{
	uint64_t before = host_blocks_in_use();

	served(5);
	peer_chan(FROM_CLIENT, 1, 6, NULL, 0);
	wait_ms(200000);
	CHECK(host_blocks_in_use() <= before + 1);
	request(5);
	request(4);
	expect_no_frame(100);
	CHECK_EQUAL(caller.executed, 1);
	served(6);
	CHECK_EQUAL(caller.executed, 2);
}

/* More channels than there may be sessions: idle ones go, and their sequences still protect. */
CASE(chan_many_channels)
{
	rpc_keeps_alive = 1;
	rpc_serves(CALLER_EMPTY);
	for (uint32_t channel = 1; channel <= 600; channel++) {
		peer_chan_answered(FROM_CLIENT | USER_MSG, channel, 9, "x", 1, USER_MSG);
		peer_chan(FROM_CLIENT, channel, 10, NULL, 0);
		if (channel % 50 == 0)
			wait_ms(30000);
	}
	CHECK_EQUAL(caller.executed, 600);
	for (uint32_t channel = 1; channel <= 600; channel++) {
		peer_chan(FROM_CLIENT | USER_MSG, channel, 9, "x", 1);
		expect_no_frame(0.01);
	}
	CHECK_EQUAL(caller.executed, 600);
}

/* The client reboots while its call is executed: the late reply is nobody's. */
CASE(chan_client_reboots, rpc_serves(CALLER_SLOW))
{
	request(5);
	CHECK_EQUAL(caller.running, 1);
	peer_boot = OTHER_BOOT;
	request(1);
	peer_answers_query();
	CHECK_EQUAL(chan_counts.zombies, 1);
	request(1);
	CHECK_EQUAL(caller.running, 2);
	caller_let_go(); /* the old one */
	expect_no_frame(30000);
	CHECK_EQUAL(chan_counts.unwanted, 1);
	caller_let_go();
	expect_chan(USER_MSG, 1, 1);
	CHECK_EQUAL(caller.executed, 2);
}

/* The same with a reply that waits for its acknowledgement: it is not repeated. */
CASE(chan_client_reboots_after_the_reply, rpc_serves(CALLER_ECHO))
{
	uint64_t before = host_blocks_in_use();

	served(5);
	peer_boot = OTHER_BOOT;
	request(5);
	peer_answers_query();
	expect_no_frame(60000);
	CHECK(host_blocks_in_use() <= before);
	served(5);
	CHECK_EQUAL(caller.executed, 2);
}

CASE(chan_bad_headers, rpc_serves(CALLER_ECHO))
{
	served(1);
	for (int cut = 16; cut > 0; cut--) {
		rpc_cut = cut;
		rpc_patch = (struct rpc_patch){ 8, 4, (uint32_t)(12 + 16 - cut) };
		peer_chan(FROM_CLIENT, 1, 2, NULL, 0);
	}
	CHECK_EQUAL(chan_counts.too_short, 15); /* the shortest is empty to BID */
	for (size_t i = 0; i < 5; i++) {
		static const struct rpc_patch patches[] = { { 24 + 24, 4, 10 },
							    { 24 + 24, 4, 0xffffffff },
							    { 24 + 14, 1, 1 },
							    { 24 + 15, 1, 0x13 },
							    { 24 + 16, 4, 21 } };

		rpc_patch = patches[i];
		request(2);
	}
	CHECK_EQUAL(chan_counts.bad_length, 2);
	CHECK_EQUAL(chan_counts.bad_flags, 2);
	CHECK_EQUAL(chan_counts.unknown_protocol, 1);
	peer_chan(FROM_CLIENT, 9, 2, NULL, 0); /* an acknowledgement for nobody */
	peer_chan(USER_MSG, 9, 2, "x", 1);     /* a reply for nobody */
	CHECK_EQUAL(chan_counts.no_session, 2);
	expect_no_frame(1000);
	CHECK_EQUAL(caller.executed, 1);
}
