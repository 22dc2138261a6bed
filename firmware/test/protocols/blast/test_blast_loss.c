/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: messages of every size under selective loss, both ways: each fragment in its turn, every
 * other one, all but the first, all but the last. What arrives is what was sent, byte for byte. */
#include "protocols/blast/blast.h"
#include "test/host/rpc_case.h"

enum { LARGEST = 64 * RPC_FRAGMENT };

static uint8_t text[LARGEST], back[LARGEST];
static uint32_t calls;

static uint64_t all_of(uint32_t count)
{
	return count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
}

/* The n-th way to lose some of them; 0: there are no more. */
static uint64_t lost(uint32_t count, uint32_t n)
{
	const uint64_t ways[] = { 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, ~(uint64_t)1,
				  all_of(count - 1) };

	if (n < count)
		return (uint64_t)1 << n;
	return n < count + 4 ? ways[n - count] & all_of(count) : 0;
}

static size_t size_of(uint32_t count, uint32_t n)
{
	size_t most = (size_t)count * RPC_FRAGMENT - RPC_HEADERS;

	return n % 2 ? most : most - (size_t)(n * 97 % RPC_FRAGMENT);
}

/* The peer's request loses some; the kernel names what it has, and gets the rest. */
static void one_up(uint32_t count, uint64_t missing, size_t bytes)
{
	uint64_t all = all_of(count);

	calls++;
	peer_fragments(FROM_CLIENT | USER_MSG, 1, calls, text, bytes, calls, SEND, all & ~missing);
	struct rpc_frame g = expect_rpc();
	CHECK_EQUAL(g.op, NACK);
	CHECK_EQUAL(g.sequence, calls);
	CHECK_EQUAL(g.mask, all & ~missing);
	peer_fragments(FROM_CLIENT | USER_MSG, 1, calls, text, bytes, calls, RETRANSMIT, missing);
	expect_chan(USER_MSG, 1, calls);
	CHECK_EQUAL(caller.executed, calls);
	CHECK_EQUAL(caller.request_bytes, bytes);
	CHECK(!memcmp(caller.request, text, bytes));
}

static void one_down(uint32_t count, uint64_t missing, size_t bytes)
{
	uint64_t all = all_of(count);
	uint32_t sequence = 0;

	calls++;
	peer_fragments(FROM_CLIENT | USER_MSG, 1, calls, text, bytes, calls, SEND, all);
	expect_fragments(back, count, all, SEND, &sequence);
	for (uint32_t n = 0; n < count; n++) /* these have not come */
		if (missing >> n & 1)
			memset(back + (size_t)n * RPC_FRAGMENT, 0xee, RPC_FRAGMENT);
	peer_blast(sequence, count, NACK, all & ~missing, NULL, 0);
	expect_fragments(back, count, missing, RETRANSMIT, &sequence);
	CHECK(!memcmp(back + RPC_HEADERS, text, bytes));
}

static void every_loss(enum caller_mode mode, void (*one)(uint32_t, uint64_t, size_t))
{
	static const uint32_t counts[] = { 2, 3, 5, 16, 33, 63, 64 };

	rpc_serves(mode);
	rpc_keeps_alive = 1;
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (uint8_t)(i * 31 + (i >> 8));
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		for (uint32_t n = 0; lost(counts[i], n); n++)
			one(counts[i], lost(counts[i], n), size_of(counts[i], n));
}

/* Each NACK of 60 bytes could bring 64 fragments, from whoever can write one: 16 are answered, and
 * then the message is kept no longer for their sake. */
CASE(blast_answers_are_limited)
{
	uint32_t sequence = 0;
	const uint64_t all = all_of(5);

	rpc_serves(CALLER_ECHO);
	rpc_keeps_alive = 1;
	peer_fragments(FROM_CLIENT | USER_MSG, 1, 1, text, 5 * RPC_FRAGMENT - RPC_HEADERS, 1, SEND,
		       all);
	expect_fragments(back, 5, all, SEND, &sequence);
	for (int i = 0; i < 16; i++) {
		peer_blast(sequence, 5, NACK, 0, NULL, 0);
		expect_fragments(back, 5, all, RETRANSMIT, &sequence);
	}
	peer_blast(sequence, 5, NACK, 0, NULL, 0);
	expect_no_frame(100);
	CHECK_EQUAL(blast_counts.resent, 16 * 5);
	CHECK_EQUAL(blast_counts.nack_unknown, 1);
}

CASE_IS(blast_selective_loss_up, every_loss(CALLER_EMPTY, one_up))
CASE_IS(blast_selective_loss_down, every_loss(CALLER_ECHO, one_down))
