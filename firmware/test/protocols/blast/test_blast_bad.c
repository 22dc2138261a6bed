/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: malformed headers, and messages that never become whole (rpc.md). */
#include "protocols/blast/blast.h"
#include "test/host/rpc_case.h"

static const uint8_t text[65 * RPC_FRAGMENT];

struct fault {
	struct rpc_patch patch;
	int is_long;
	uint64_t *counter;
};

/* One header field wrong at a time: dropped, counted, no answer, nothing kept. */
CASE(blast_bad_headers, rpc_serves(CALLER_ECHO))
{
	const struct fault faults[] = {
		{ { 14, 1, 0 }, 0, &blast_counts.bad_op },
		{ { 14, 1, 2 }, 0, &blast_counts.bad_op },
		{ { 14, 1, 3 }, 0, &blast_counts.bad_op },
		{ { 14, 1, 0 }, 1, &blast_counts.bad_op },
		{ { 14, 1, 4 }, 1, &blast_counts.bad_op },
		{ { 14, 1, 255 }, 1, &blast_counts.bad_op },
		{ { 15, 1, 1 }, 0, &blast_counts.bad_op },
		{ { 12, 2, 1 }, 0, &blast_counts.bad_count },
		{ { 12, 2, 0 }, 1, &blast_counts.bad_count },
		{ { 12, 2, 65 }, 1, &blast_counts.bad_count },
		{ { 12, 2, 0xffff }, 1, &blast_counts.bad_count },
		{ { 20, 4, 1 }, 0, &blast_counts.bad_mask },
		{ { 16, 4, 1 }, 0, &blast_counts.bad_mask },
		{ { 20, 4, 0 }, 1, &blast_counts.bad_mask },
		{ { 20, 4, 3 }, 1, &blast_counts.bad_mask },
		{ { 20, 4, 8 }, 1, &blast_counts.bad_mask },
		{ { 16, 4, 1 }, 1, &blast_counts.bad_mask },
		{ { 8, 4, 1457 }, 1, &blast_counts.bad_length },
		{ { 8, 4, 0xffffffff }, 1, &blast_counts.bad_length },
		{ { 8, 4, 0x80000000 }, 0, &blast_counts.bad_length },
		{ { 8, 4, 0 }, 1, &blast_counts.bad_length },
		{ { 8, 4, 1455 }, 1, &blast_counts.bad_length },
		{ { 0, 4, 22 }, 1, &blast_counts.unknown_protocol },
		{ { 0, 4, 22 }, 0, &blast_counts.unknown_protocol },
	};

	peer_chan_answered(FROM_CLIENT | USER_MSG, 1, 1, "x", 1, USER_MSG);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		const struct fault *f = &faults[i];
		uint64_t before = host_blocks_in_use(), count = *f->counter;

		rpc_patch = f->patch;
		if (f->is_long)
			peer_fragments(FROM_CLIENT | USER_MSG, 1, 2, text, 3000, 5, SEND, 1);
		else
			peer_chan(FROM_CLIENT | USER_MSG, 1, 2, "x", 1);
		if (*f->counter != count + 1) {
			fprintf(stderr, "fault %zu is not counted\n", i);
			exit(1);
		}
		CHECK_EQUAL(host_blocks_in_use(), before);
	}
	for (int cut = 24; cut > 0; cut--) {
		rpc_cut = cut;
		peer_blast(0, 0, SEND, 0, NULL, 0);
	}
	CHECK_EQUAL(blast_counts.too_short, 24);
	expect_no_frame(1000);
	CHECK_EQUAL(caller.executed, 1);
}

/* A second fragment that says another count than the first. */
CASE(blast_inconsistent_count, rpc_serves(CALLER_ECHO))
{
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 3000, 5, SEND, 1);
	rpc_patch = (struct rpc_patch){ 12, 2, 2 };
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 3000, 5, SEND, 2);
	CHECK_EQUAL(blast_counts.bad_count, 1);
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 3000, 5, SEND, 6);
	CHECK_EQUAL(caller.executed, 1);
}

/* More than is said is cut off. */
CASE(blast_length_cuts, rpc_serves(CALLER_ECHO))
{
	rpc_patch = (struct rpc_patch){ 8, 4, RPC_HEADERS + 4 };
	peer_chan(FROM_CLIENT | USER_MSG, 1, 1, "abcdefgh", 8);
	expect_no_frame(100); /* CHAN's length says more than is left */
	rpc_patch = (struct rpc_patch){ 24 + 24, 4, 8 + 4 };
	struct rpc_frame g =
	    peer_chan_answered(FROM_CLIENT | USER_MSG, 1, 1, "abcdefgh", 8, USER_MSG);
	CHECK_EQUAL(g.user_bytes, 4);
}

/* Unfinished messages without end: the oldest go, memory stays bounded, work goes on. */
CASE(blast_bounded_collection, rpc_serves(CALLER_EMPTY))
{
	for (uint32_t i = 1; i <= 200; i++)
		peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 3000, i, SEND, 1);
	CHECK_EQUAL(blast_counts.evicted, 200 - BLAST_COLLECTED);
	for (uint32_t i = 1000; i < 1020; i++)
		peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 63 * RPC_FRAGMENT, i, SEND,
			       ~(uint64_t)0 >> 1);
	CHECK(host_blocks_in_use() < 1000); /* 512 fragments and what there is anyway */
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 3000, 5000, SEND, 7);
	expect_chan(USER_MSG, 1, 1);
	CHECK_EQUAL(caller.executed, 1);
}
