/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: long messages both ways, what is lost (docs/reference/protocols/rpc.md). */
#include "protocols/blast/blast.h"
#include "test/host/rpc_case.h"

static uint8_t text[65 * RPC_FRAGMENT];

static void begin(enum caller_mode mode)
{
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (uint8_t)(i * 7 + (i >> 8) * 13);
	rpc_start();
	caller_serve(mode);
}

static uint8_t back[65 * RPC_FRAGMENT];

/* A request of five fragments comes back; the reply's sequence number. */
static uint32_t echo_of_five(uint32_t channel, uint32_t sequence)
{
	peer_fragments(FROM_CLIENT | USER_MSG, channel, 1, text, 6000, sequence, SEND,
		       ~(uint64_t)0);
	expect_fragments(back, 5, ~(uint64_t)0, SEND, &sequence);
	return sequence;
}

/* Every size around a fragment's end, up to the largest, echoed whole. */
CASE(blast_sizes, begin(CALLER_ECHO))
{
	static const size_t around[] = { 1, 2, 3, 16, 63, 64 };
	uint32_t call = 0, sequence;

	for (size_t i = 0; i < 6; i++) {
		for (int d = -3; d <= 3; d++) {
			size_t all = around[i] * RPC_FRAGMENT + (size_t)d, bytes;
			uint32_t count;

			if (all > 64 * RPC_FRAGMENT)
				continue;
			bytes = all - RPC_HEADERS;
			count = (uint32_t)((all + RPC_FRAGMENT - 1) / RPC_FRAGMENT);
			call++;
			if (count == 1) {
				struct rpc_frame g = peer_chan_answered(
				    FROM_CLIENT | USER_MSG, 1, call, text, bytes, USER_MSG);

				CHECK_EQUAL(g.user_bytes, bytes);
				CHECK(!memcmp(g.user, text, bytes));
				continue;
			}
			peer_fragments(FROM_CLIENT | USER_MSG, 1, call, text, bytes, call, SEND,
				       ~(uint64_t)0);
			CHECK_EQUAL(expect_fragments(back, count, ~(uint64_t)0, SEND, &sequence),
				    all);
			CHECK(!memcmp(back + RPC_HEADERS, text, bytes));
		}
	}
	CHECK_EQUAL(caller.executed, (int)call);
	CHECK_EQUAL(blast_counts.nacks_sent, 0);
}

/* In any order, with every fragment twice. */
CASE(blast_order_and_duplicates, begin(CALLER_EMPTY))
{
	enum { BYTES = 7 * RPC_FRAGMENT };
	static const uint32_t order[] = { 6, 0, 3, 3, 7, 1, 5, 0, 2, 6, 4 };

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, BYTES, 99, SEND,
			       (uint64_t)1 << order[i]);
	expect_chan(USER_MSG, 1, 1);
	CHECK_EQUAL(caller.executed, 1);
	CHECK_EQUAL(caller.request_bytes, BYTES);
	CHECK(!memcmp(caller.request, text, BYTES));
	CHECK_EQUAL(blast_counts.duplicates, 3);
}

/* The middle ones and the last are lost: after 100 ms for each fragment a NACK says what is here;
 * the clock looks every 50 ms. */
CASE(blast_lost_fragments, begin(CALLER_EMPTY))
{
	enum { BYTES = 7 * RPC_FRAGMENT }; /* 8 fragments */
	double start = now_ms();

	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, BYTES, 99, SEND, 0x5b);
	struct rpc_frame g = expect_rpc();
	CHECK_EQUAL(g.op, NACK);
	CHECK_EQUAL(g.sequence, 99);
	CHECK_EQUAL(g.count, 8);
	CHECK_EQUAL(g.mask, 0x5b);
	CHECK_EQUAL(g.bytes, 0);
	CHECK(g.ms - start >= 800 && g.ms - start < 860);
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, BYTES, 99, RETRANSMIT, 0x24);
	g = expect_rpc(); /* only the last is missing: three times as long */
	CHECK_EQUAL(g.op, NACK);
	CHECK_EQUAL(g.mask, 0x7f);
	CHECK(g.ms - start >= 3200 && g.ms - start < 3320);
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, BYTES, 99, RETRANSMIT, 0x80);
	expect_chan(USER_MSG, 1, 1);
	CHECK_EQUAL(caller.executed, 1);
	CHECK(!memcmp(caller.request, text, BYTES));
}

/* Two NACKs without progress, and it is given up: nothing is kept. */
CASE(blast_given_up, begin(CALLER_EMPTY))
{
	peer_chan_answered(FROM_CLIENT | USER_MSG, 1, 1, NULL, 0, USER_MSG);
	peer_chan(FROM_CLIENT, 1, 2, NULL, 0); /* the reply is acknowledged */
	wait_ms(100);
	uint64_t before = host_blocks_in_use();
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 2, text, 3000, 99, SEND, 1);
	CHECK_EQUAL(expect_rpc().op, NACK); /* progress: the first fragment */
	CHECK_EQUAL(expect_rpc().op, NACK);
	expect_no_frame(10000);
	CHECK_EQUAL(blast_counts.given_up, 1);
	CHECK_EQUAL(host_blocks_in_use(), before);
	/* A fragment that is sent again now is for nobody. */
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 2, text, 3000, 99, RETRANSMIT, 7);
	CHECK_EQUAL(blast_counts.retransmit_unknown, 3);
	expect_no_frame(5000);
	CHECK_EQUAL(caller.executed, 1);
}

/* The kernel sends: a NACK makes it send the unset ones, marked RETRANSMIT. */
CASE(blast_nack_resends, begin(CALLER_ECHO))
{
	uint32_t sequence = echo_of_five(1, 99);

	peer_blast(sequence, 5, NACK, 0x0d, NULL, 0);
	for (uint32_t n = 1; n < 5; n += 3) {
		struct rpc_frame g = expect_rpc();

		CHECK_EQUAL(g.op, RETRANSMIT);
		CHECK_EQUAL(g.sequence, sequence);
		CHECK_EQUAL(g.mask, (uint64_t)1 << n);
		CHECK(!memcmp(g.data, back + n * RPC_FRAGMENT, g.bytes));
	}
	expect_no_frame(100);
	peer_blast(sequence + 1, 5, NACK, 0, NULL, 0);
	peer_blast(sequence, 4, NACK, 0, NULL, 0);
	expect_no_frame(100);
	CHECK_EQUAL(blast_counts.nack_unknown, 1);
	CHECK_EQUAL(blast_counts.bad_count, 1);
	/* 500 ms for each fragment after the NACK it is forgotten. */
	wait_ms(2200);
	peer_blast(sequence, 5, NACK, 0x1e, NULL, 0);
	CHECK_EQUAL(expect_rpc().op, RETRANSMIT);
	wait_ms(2700);
	peer_blast(sequence, 5, NACK, 0, NULL, 0);
	expect_no_frame(100);
	CHECK_EQUAL(blast_counts.nack_unknown, 2);
}

/* The reply's acknowledgement frees what BLAST has kept of it. */
CASE(blast_freed_by_chan, begin(CALLER_ECHO))
{
	uint32_t sequence = echo_of_five(1, 99);

	peer_chan(FROM_CLIENT, 1, 2, NULL, 0);
	peer_blast(sequence, 5, NACK, 0, NULL, 0);
	expect_no_frame(100);
	CHECK_EQUAL(blast_counts.nack_unknown, 1);
}

/* A handle from before: its slot has another message now, which stays. */
CASE(blast_stale_handle, begin(CALLER_ECHO))
{
	echo_of_five(1, 98);
	wait_ms(3000); /* BLAST has let go of it; CHAN has not */
	uint32_t sequence = echo_of_five(2, 99);
	peer_chan(FROM_CLIENT, 1, 2, NULL, 0); /* CHAN frees the first */
	peer_blast(sequence, 5, NACK, 0x1e, NULL, 0);
	CHECK_EQUAL(expect_rpc().op, RETRANSMIT);
}

CASE(blast_duplicate_after_completion, begin(CALLER_ECHO))
{
	echo_of_five(1, 99);
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 6000, 99, SEND, ~(uint64_t)0);
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 6000, 99, RETRANSMIT, 2);
	expect_no_frame(3000); /* no NACK either */
	CHECK_EQUAL(blast_counts.completed_before, 6);
	CHECK_EQUAL(caller.executed, 1);
	/* A short one is CHAN's business. */
	peer_chan_answered(FROM_CLIENT | USER_MSG, 2, 1, "ab", 2, USER_MSG);
	peer_chan_answered(FROM_CLIENT | USER_MSG, 2, 1, "ab", 2, USER_MSG);
	CHECK_EQUAL(caller.executed, 2);
}

/* The number after 2^32 - 1 is 1: 0 would mean a short message. The start is a function of the
 * seed, so the wrap is made by setting it. */
CASE(blast_sequence_wraps, begin(CALLER_ECHO); caller_open())
{
	uint32_t sequence;
	CHECK_EQUAL(caller_control(BLAST_SET_SEQUENCE, 0xfffffffe), 0);
	for (uint32_t i = 1; i <= 4; i++) {
		static const uint32_t expected[] = { 0, 0xfffffffe, 0xffffffff, 1, 2 };

		peer_fragments(FROM_CLIENT | USER_MSG, 1, i, text, 3000, i, SEND, 7);
		expect_fragments(back, 3, ~(uint64_t)0, SEND, &sequence);
		CHECK_EQUAL(sequence, expected[i]);
	}
}

/* 64 messages may be kept; the one after them waits until one is freed. */
CASE(blast_outstanding, begin(CALLER_ECHO))
{
	int frames = 0;

	for (uint32_t i = 1; i <= 65; i++) {
		peer_fragments(FROM_CLIENT | USER_MSG, i, 1, text, 1500, i, SEND, 3);
		while (frames < (i < 65 ? 2 * (int)i : 128)) {
			expect_rpc();
			frames++;
		}
	}
	expect_no_frame(200);
	CHECK_EQUAL(caller.executed, 65);
	peer_chan(FROM_CLIENT, 7, 2, NULL, 0); /* one reply is acknowledged */
	expect_chan(USER_MSG, 65, 1);
	expect_rpc();
	expect_no_frame(100);
}

/* A full transmit ring: wait, and go on where it was. */
CASE(blast_full_ring, begin(CALLER_ECHO))
{
	uint32_t sequence;
	host_transmit_full(1);
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 6000, 99, SEND, ~(uint64_t)0);
	expect_no_frame(20);
	host_transmit_full(0);
	expect_fragments(back, 5, ~(uint64_t)0, SEND, &sequence);
	CHECK(blast_counts.waited_for_ring > 5);
	CHECK(!memcmp(back + RPC_HEADERS, text, 6000));
}
