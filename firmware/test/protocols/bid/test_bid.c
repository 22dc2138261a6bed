/* SPDX-License-Identifier: BSD-2-Clause */
/* BIDCTL and BID: who is believed, and what gets through (docs/reference/protocols/rpc.md). */
#include "protocols/bid/bid.h"
#include "protocols/bidctl/bidctl.h"
#include "test/host/rpc_case.h"

enum { TAG = 0x11223344 };

/* We ask, the kernel answers and asks; then both are known, and no more is said. */
CASE(bidctl_we_begin, rpc_start())
{
	expect_no_frame(60000);
	CHECK_EQUAL(bidctl_counts.first_contacts, 1);
	peer_bidctl(QUERY, peer_boot, kernel_boot, TAG, 0);
	struct bidctl_frame r = expect_bidctl(RESPONSE);

	CHECK_EQUAL(r.source, kernel_boot);
	CHECK_EQUAL(r.destination, peer_boot);
	CHECK_EQUAL(r.reply_tag, TAG);
	CHECK_EQUAL(r.request_tag, 0);
}

/* The kernel's first call asks; the call goes when the answer is there. */
CASE(bidctl_kernel_begins, rpc_start_unknown(); caller_open())
{
	int call = caller_call("x", 1);

	peer_answers_query();
	expect_chan(FROM_CLIENT | USER_MSG, 5, 1); /* the last opened */
	CHECK(!caller.call[call].done);
	peer_chan(USER_MSG, 5, 1, "y", 1);
	call_ends(call, 0);
}

/* Questions after 0, 5, 15, 35, 75, 135 s; a minute later the caller is told. */
CASE(bidctl_nobody_answers, rpc_start_unknown(); caller_open())
{
	static const double seconds[] = { 5, 10, 20, 40, 60 };
	struct bidctl_frame q;
	int call = caller_call("x", 1);
	struct bidctl_frame before = expect_bidctl(QUERY);

	for (int i = 0; i < 5; i++) {
		q = expect_bidctl(QUERY);
		CHECK(q.ms - before.ms >= seconds[i] * 1000 - 1 &&
		      q.ms - before.ms <= seconds[i] * 1000 + 501);
		CHECK_EQUAL(q.request_tag, before.request_tag);
		before = q;
	}
	CHECK(!caller.call[call].done);
	expect_no_frame(61000);
	call_ends(call, XK_TIMED_OUT);
	CHECK_EQUAL(bidctl_counts.unanswered, 1);
	/* The next call asks anew, with another tag. */
	caller_call("x", 1);
	CHECK(expect_bidctl(QUERY).request_tag != before.request_tag);
}

/* Only the answer to the question is believed. */
CASE(bidctl_unasked_answers, rpc_start_unknown(); caller_open())
{
	caller_call("x", 1);
	uint32_t tag = expect_bidctl(QUERY).request_tag;
	peer_bidctl(RESPONSE, peer_boot, kernel_boot, 0, tag + 1);
	peer_bidctl(RESPONSE, peer_boot, kernel_boot, 0, 0);
	peer_bidctl(RESPONSE, peer_boot, kernel_boot + 1, 0, tag);
	CHECK_EQUAL(bidctl_counts.unexpected, 3);
	CHECK_EQUAL(bidctl_counts.first_contacts, 0);
	peer_bidctl(RESPONSE, peer_boot, kernel_boot, 0, tag);
	CHECK_EQUAL(bidctl_counts.first_contacts, 1);
	expect_chan(FROM_CLIENT | USER_MSG, 5, 1);		/* the last opened */
	peer_bidctl(RESPONSE, OTHER_BOOT, kernel_boot, 0, tag); /* the same, too late */
	CHECK_EQUAL(bidctl_counts.unexpected, 4);
	CHECK_EQUAL(bidctl_counts.reboots, 0);
}

/* A question from the past names an old boot: the kernel asks, hears the truth, and stays. */
CASE(bidctl_stale_query, rpc_serves(CALLER_ECHO))
{
	served(1);
	peer_bidctl(QUERY, OTHER_BOOT, kernel_boot, TAG, 0);
	struct bidctl_frame r = expect_bidctl(RESPONSE | QUERY);
	served(2); /* meanwhile, life goes on */
	peer_bidctl(RESPONSE, peer_boot, kernel_boot, 0, r.request_tag);
	CHECK_EQUAL(bidctl_counts.confirmed, 1);
	CHECK_EQUAL(bidctl_counts.reboots, 0);
	served(3);
}

/* A message from another boot of ours: dropped, looked into, and believed when confirmed. */
CASE(bid_peer_reboots)
{
	uint32_t old = peer_boot;

	rpc_start();
	caller_serve(CALLER_ECHO);
	served(7);
	peer_boot = OTHER_BOOT;
	request(1);
	CHECK_EQUAL(bid_counts.unknown_source, 1);
	request(1);
	peer_answers_query();
	CHECK_EQUAL(bidctl_counts.reboots, 1);
	CHECK_EQUAL(caller.executed, 1);
	served(1); /* below 7: it is another channel now */
	CHECK_EQUAL(caller.executed, 2);
	/* From the old boot, and newer than all: nothing. */
	peer_boot = old;
	request(8);
	CHECK_EQUAL(caller.executed, 2);
	CHECK_EQUAL(bid_counts.unknown_source, 3);
	peer_boot = OTHER_BOOT;
	peer_answers_query();
	CHECK_EQUAL(bidctl_counts.reboots, 1);
	served(2);
}

/* Its broadcast makes the kernel look, too. Of an unknown host it is no news. */
CASE(bidctl_broadcast, rpc_start())
{
	peer_bidctl(BCAST, peer_boot, 0, 0, 0);
	expect_no_frame(10000);
	peer_boot = OTHER_BOOT;
	peer_bidctl(BCAST, peer_boot, 0, 0, 0);
	peer_answers_query();
	CHECK_EQUAL(bidctl_counts.reboots, 1);
}

CASE(bidctl_broadcast_of_a_stranger, rpc_start_unknown())
{
	peer_bidctl(BCAST, peer_boot, 0, 0, 0);
	expect_no_frame(60000);
}

/* Addressed to an earlier boot of the kernel: an empty message says who it is now. */
CASE(bid_old_destination, rpc_serves(CALLER_ECHO))
{
	uint32_t now = kernel_boot;

	kernel_boot = 0x01d01d01;
	request(1);
	kernel_boot = now;
	struct rpc_frame g = expect_rpc();
	CHECK_EQUAL(g.bytes, 12);
	CHECK_EQUAL(g.bid_destination, peer_boot);
	CHECK_EQUAL(caller.executed, 0);
	CHECK_EQUAL(bid_counts.old_destination, 1);
	/* An empty one is not answered, or two machines would never stop. */
	rpc_patch = (struct rpc_patch){ 24 + 4, 4, 0x01d01d01 };
	peer_blast(0, 0, SEND, 0, "PEER\0\0\0\0\0\0\0\15", 12);
	CHECK_EQUAL(bid_counts.old_destination, 2);
	expect_no_frame(1000);
}

CASE(bid_empty_and_short, rpc_serves(CALLER_ECHO))
{
	uint8_t header[12] = { 0 };

	memcpy(header, "PEER", 4);
	for (int i = 0; i < 4; i++)
		header[4 + i] = (uint8_t)(kernel_boot >> (24 - 8 * i));
	for (size_t n = 0; n < 12; n++)
		peer_blast(0, 0, SEND, 0, header, n);
	CHECK_EQUAL(bid_counts.too_short, 12);
	header[11] = 14;
	peer_blast(0, 0, SEND, 0, header, 12);
	CHECK_EQUAL(bid_counts.unknown_protocol, 1);
	header[11] = 13;
	peer_blast(0, 0, SEND, 0, header, 12);
	CHECK_EQUAL(bid_counts.empty, 1);
	expect_no_frame(1000);
}

CASE(bidctl_bad_messages, rpc_start())
{
	static const uint32_t flags[] = { 0, 8, 0x100, 5, 6, 7, 0xffff };

	for (size_t i = 0; i < 7; i++)
		peer_bidctl(flags[i], peer_boot, 0, TAG, 0);
	peer_bidctl(QUERY, 0, 0, TAG, 0); /* nobody's boot id */
	CHECK_EQUAL(bidctl_counts.bad_flags, 8);
	rpc_patch = (struct rpc_patch){ 2, 2, 0x1234 };
	peer_bidctl(QUERY, peer_boot, 0, TAG, 0);
	CHECK_EQUAL(bidctl_counts.bad_checksum, 1);
	rpc_cut = 1;
	peer_bidctl(QUERY, peer_boot, 0, TAG, 0);
	CHECK_EQUAL(bidctl_counts.bad_length, 1);
	expect_no_frame(1000);
}

/* Every five minutes while somebody has a session with it; ten minutes after that it is forgotten.
 */
CASE(bidctl_keep_alive_and_forget, rpc_start_unknown())
{
	uint64_t before = host_blocks_in_use();

	rpc_meet();
	caller_open();
	wait_ms(299000);
	peer_answers_query();
	wait_ms(298000);
	peer_answers_query();
	CHECK_EQUAL(bidctl_counts.confirmed, 2);
	caller_close();
	/* CHAN keeps the sequences of five channels; the rest goes. */
	wait_ms(700000);
	CHECK(host_blocks_in_use() <= before + 5 + 1);
	rpc_meet();
	CHECK_EQUAL(bidctl_counts.first_contacts, 2);
}
