/* SPDX-License-Identifier: BSD-2-Clause */
/* VCHAN, MSELECT, and the whole RPC stack when memory runs out. */
#include "protocols/mselect/mselect.h"
#include "protocols/vchan/vchan.h"
#include "test/host/rpc_case.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/semaphore.h"

static uint8_t text[20000];

/* Five channels carry five calls; the sixth and seventh wait, and go first come, first served. */
CASE(vchan_no_channel, rpc_calls())
{
	for (uint32_t i = 0; i < 7; i++) {
		uint8_t name = (uint8_t)('a' + i);

		caller_call(&name, 1);
		if (i < 5)
			expect_chan(FROM_CLIENT | USER_MSG, 5 - i, 1); /* last opened first */
	}
	expect_no_frame(100);
	CHECK_EQUAL(vchan_counts.waited, 2);
	peer_chan(USER_MSG, 3, 1, "r", 1);
	struct rpc_frame g = expect_chan(FROM_CLIENT | USER_MSG, 3, 2);
	CHECK_EQUAL(*g.user, 'f');
	peer_chan(USER_MSG, 1, 1, "r", 1);
	g = expect_chan(FROM_CLIENT | USER_MSG, 1, 2);
	CHECK_EQUAL(*g.user, 'g');
}

CASE(vchan_more_and_fewer_channels, rpc_calls())
{
	CHECK_EQUAL(caller_control(VCHAN_SET_CHANNELS, 0), XK_ERROR);
	CHECK_EQUAL(caller_control(VCHAN_SET_CHANNELS, 65), XK_ERROR);
	CHECK_EQUAL(caller_control(VCHAN_SET_CHANNELS, 64), XK_OK);
	for (uint32_t i = 0; i < 10; i++) {
		caller_call("x", 1);
		expect_chan(FROM_CLIENT | USER_MSG, 64 - i, 1);
	}
	CHECK_EQUAL(caller_control(VCHAN_SET_CHANNELS, 2), XK_OK);
	for (uint32_t i = 0; i < 10; i++)
		peer_chan(USER_MSG, 64 - i, 1, "r", 1);
	for (uint32_t i = 0; i < 10; i++)
		CHECK_EQUAL(caller.call[i].done, 1);
	for (uint32_t i = 0; i < 3; i++)
		caller_call("x", 1);
	expect_rpc();
	expect_rpc();
	expect_no_frame(100);
	CHECK_EQUAL(vchan_counts.waited, 1);
}

static void six_calls(void)
{
	for (uint32_t i = 0; i < 6; i++)
		caller_call("x", 1);
	for (uint32_t i = 0; i < 5; i++)
		expect_chan(FROM_CLIENT | USER_MSG, 5 - i, 1);
}

/* Five channels, all of them with a call under way, and a sixth call that waits. */
static void all_channels_busy(void)
{
	rpc_calls();
	six_calls();
	CHECK_EQUAL(vchan_counts.waited, 1);
}

/* After the sixth call has taken channel 5: all end well, and four channels remain. */
static void four_channels_remain(void)
{
	CHECK_EQUAL(host_exit_code(), HOST_RUNNING);
	expect_chan(FROM_CLIENT | USER_MSG, 5, 2);
	for (uint32_t i = 1; i < 5; i++)
		peer_chan(USER_MSG, i, 1, "r", 1);
	peer_chan(USER_MSG, 5, 2, "r", 1);
	for (int i = 0; i < 6; i++)
		call_ends(i, XK_OK);
	for (uint32_t i = 0; i < 5; i++)
		caller_call("x", 1);
	for (uint32_t i = 0; i < 4; i++)
		expect_rpc();
	expect_no_frame(100);
	CHECK_EQUAL(vchan_counts.waited, 2);
}

static int set_result = 1;

static void set_four(void)
{
	caller.ends = NULL;
	set_result = caller_control_now(VCHAN_SET_CHANNELS, 4);
}

/* A channel has come back for the call that waits, which has not run yet: it is not to be had. */
CASE(vchan_fewer_while_one_is_promised, all_channels_busy())
{
	caller.ends = set_four;
	peer_chan(USER_MSG, 5, 1, "r", 1);
	CHECK_EQUAL(set_result, XK_OK); /* at once */
	four_channels_remain();
}

/* The same without memory for a stack, so that nobody can block: the threads that make it so, in
 * their order between the first call's end and the sixth one's turn. */
static struct semaphore never;
static struct thread blocks, sets, between;
static struct event prepare;

static void block_for_ever(void *)
{
	sem_wait(&never);
}

static void set_without_memory(void *)
{
	host_fail_allocations(0, 1000);
	set_four();
	host_fail_allocations(UINT64_MAX / 2, 0);
}

static void nothing(void *)
{
}

static void queue_threads(void *)
{
	thread_ready(&blocks, block_for_ever, NULL);
	thread_ready(&sets, set_without_memory, NULL);
	thread_ready(&between, nothing, NULL);
}

static void schedule_threads(void *)
{
	sem_init(&never, 0);
	event_schedule(&prepare, queue_threads, NULL, 1);
}

CASE(vchan_fewer_without_memory, all_channels_busy())
{
	host_call(schedule_threads, NULL);
	host_hold_network();
	peer_chan(USER_MSG, 5, 1, "r", 1);
	wait_ms(2);
	CHECK_EQUAL(set_result, XK_OK);
	four_channels_remain();
}

/* No channel is free, and there is no stack to wait on: the call fails, and nothing else does. The
 * sixth call waits, and so do others as long as there are stacks from before. */
CASE(vchan_call_without_memory, all_channels_busy())
{
	uint32_t waiting = 1;

	for (uint64_t n = 0; n < 32 && !vchan_counts.no_memory; n++) {
		host_fail_allocations(n % 4, 1000);
		waiting += !caller.call[caller_call("x", 1)].done;
		host_fail_allocations(UINT64_MAX / 2, 0);
	}
	CHECK_EQUAL(vchan_counts.no_memory, 1);
	call_ends(caller.calls - 1, XK_NO_MEMORY);
	expect_no_frame(100);
	for (uint32_t n = 1; n <= waiting; n++) {
		peer_chan(USER_MSG, 5, n, "r", 1);
		expect_chan(FROM_CLIENT | USER_MSG, 5, n + 1);
	}
	peer_chan(USER_MSG, 5, waiting + 1, "r", 1);
	for (uint32_t i = 1; i < 5; i++)
		peer_chan(USER_MSG, i, 1, "r", 1);
	for (int i = 0; i < 6; i++)
		call_ends(i, XK_OK);
	for (int i = 6; i < caller.calls; i++)
		CHECK(caller.call[i].done);
}

/* Closed while its calls are under way, one of them still waiting for a channel: all of them end
 * well, and then everything goes. */
CASE(rpc_closed_during_calls, rpc_start())
{
	uint64_t before = host_blocks_in_use();

	caller_open();
	six_calls();
	caller_close();
	wait_ms(1000);
	for (uint32_t i = 0; i < 5; i++)
		peer_chan(USER_MSG, 1 + i, 1, "r", 1);
	expect_chan(FROM_CLIENT | USER_MSG, 1, 2);
	peer_chan(USER_MSG, 1, 2, "r", 1);
	for (int i = 0; i < 6; i++)
		call_ends(i, XK_OK);
	wait_ms(100000);
	CHECK(host_blocks_in_use() <= before + 5); /* the sequences */
}

/* A procedure nobody serves is answered FAIL; so is one that fails. */
CASE(mselect_unknown_procedure, rpc_serves(CALLER_ECHO))
{
	peer_procedure = 1003;
	struct rpc_frame g = peer_chan_answered(FROM_CLIENT | USER_MSG, 1, 1, "x", 1, USER_MSG);
	CHECK_EQUAL(g.id, 1003);
	CHECK_EQUAL(g.status, 2);
	CHECK_EQUAL(g.user_bytes, 0);
	CHECK_EQUAL(mselect_counts.unknown_id, 1);
	peer_procedure = 1002;
	caller.mode = CALLER_FAIL;
	g = peer_chan_answered(FROM_CLIENT | USER_MSG, 1, 2, "x", 1, USER_MSG);
	CHECK_EQUAL(g.status, 2);
	caller.mode = CALLER_ECHO;
	g = peer_chan_answered(FROM_CLIENT | USER_MSG, 1, 3, "x", 1, USER_MSG);
	CHECK_EQUAL(g.status, 1);
}

CASE(mselect_short_request, rpc_serves(CALLER_ECHO))
{
	struct rpc_frame g;

	for (uint32_t n = 0; n < 8; n++) {
		rpc_patch = (struct rpc_patch){ 24 + 24, 4, n };
		g = peer_chan_answered(FROM_CLIENT | USER_MSG, 1, 1 + n, NULL, 0, USER_MSG);
		CHECK_EQUAL(g.status, 2);
	}
	CHECK_EQUAL(mselect_counts.too_short, 8);
	CHECK_EQUAL(caller.executed, 0);
}

/* The status decides what the caller hears. */
CASE(mselect_replies, rpc_calls())
{
	for (uint32_t i = 0; i < 5; i++) {
		static const struct rpc_patch patches[] = { { 24 + 32, 4, 1 },
							    { 24 + 32, 4, 2 },
							    { 24 + 32, 4, 0 },
							    { 24 + 28, 4, 77 },
							    { 24 + 24, 4, 7 } };
		static const int results[] = { XK_OK, XK_REFUSED, XK_REFUSED, XK_ERROR, XK_ERROR };

		caller_call("x", 1);
		expect_chan(FROM_CLIENT | USER_MSG, 5, 1 + i);
		rpc_patch = patches[i];
		peer_chan(USER_MSG, 5, 1 + i, "", 0);
		call_ends((int)i, results[i]);
	}
	CHECK_EQUAL(mselect_counts.failed, 2);
}

/* Random bytes behind each header in turn: nothing may crash, hang or be executed by a fault. */
CASE(rpc_random_messages, rpc_serves(CALLER_ECHO); caller_open())
{
	uint64_t random = 12345;

	caller_call("x", 1);
	for (int i = 0; i < 30000; i++) {
		uint8_t data[64];
		size_t bytes;

		for (size_t b = 0; b < sizeof data; b += 8) {
			random = random * 6364136223846793005 + 1442695040888963407;
			memcpy(data + b, &random, 8);
		}
		bytes = random >> 58;
		switch (random >> 32 & 3) {
		case 0:
			peer_blast((uint32_t)(random >> 8 & 7), (uint32_t)(random >> 12 & 7),
				   (uint32_t)(random >> 16 & 3), 1u << (random >> 20 & 7), data,
				   bytes);
			break;
		case 1:
			peer_chan((uint32_t)(random >> 8 & 15), (uint32_t)(random >> 12 & 3),
				  (uint32_t)(random >> 16 & 3), data, bytes);
			break;
		case 2:
			peer_bidctl((uint32_t)(random >> 8 & 7),
				    random >> 12 & 3 ? peer_boot : (uint32_t)random,
				    (uint32_t)(random >> 16 & 1), (uint32_t)(random >> 20 & 3),
				    (uint32_t)(random >> 24 & 3));
			break;
		default:
			rpc_patch = (struct rpc_patch){ (int)(random >> 8 & 31), 1,
							(uint32_t)(random >> 20 & 0xff) };
			peer_chan(FROM_CLIENT | USER_MSG, 1, (uint32_t)i, data, bytes);
		}
		if ((random & 0xff) == 0)
			wait_ms(3000);
		drop_frames();
	}
	CHECK_EQUAL(host_exit_code(), HOST_RUNNING);
	wait_ms(2000);
	CHECK(host_blocks_in_use() < 2000);
}

/* A patient peer: says everything again until it is answered. */
static int next(struct rpc_frame *g, double ms)
{
	struct host_frame f;

	while (next_frame(&f, ms)) {
		if (f.data[23] == 205) { /* BIDCTL: answer every question */
			const uint8_t *b = f.data + 34;
			uint32_t source = get32(b + 4);
			uint32_t tag = get32(b + 12);

			kernel_boot = source;
			if (b[1] & QUERY)
				peer_bidctl(RESPONSE, peer_boot, source, 0, tag);
			continue;
		}
		memset(g, 0, sizeof *g);
		g->op = f.data[34 + 14];
		g->sequence = f.data[34 + 7]; /* is not 0 for a long one, mostly */
		g->flags = f.data[34 + 24 + 15];
		g->channel = f.data[34 + 24 + 13];
		g->call = (uint32_t)f.data[34 + 24 + 22] << 8 | f.data[34 + 24 + 23];
		g->bytes = (size_t)(f.data[34 + 10] << 8 | f.data[34 + 11]);
		return 1;
	}
	return 0;
}

static void converse(void)
{
	struct rpc_frame g;
	int answered;

	/* We call: short, and three fragments. */
	for (uint32_t call = 1; call <= 6; call++) {
		size_t bytes = call & 1 ? 10 : 3000;

		for (int tries = 0, got = 0; !got; tries++) {
			CHECK(tries < 40);
			if (call & 1)
				peer_chan(FROM_CLIENT | USER_MSG, 9, call, text, bytes);
			else
				peer_fragments(FROM_CLIENT | USER_MSG, 9, call, text, bytes,
					       100 * call + (uint32_t)tries, SEND, 7);
			while (next(&g, 1500))
				if ((g.flags & USER_MSG) && g.channel == 9 && g.call == call)
					got = 1;
		}
	}
	/* Without memory for its session a call is refused: that is a reply, too. */
	CHECK(caller.executed == 6 || caller.executed == 5);
	/* The kernel calls. */
	for (int i = 0; i < 3; i++) {
		int call;

		host_fail_allocations(UINT64_MAX / 2, 0);
		if (!caller.calls)
			caller_open();
		host_fail_allocations((uint64_t)i, 1);
		call = caller_call(text, i == 1 ? 4000 : 4);
		for (int tries = 0; !caller.call[call].done; tries++) {
			CHECK(tries < 60);
			answered = next(&g, 6000);
			if (answered && (g.flags & FROM_CLIENT) && g.bytes >= 28)
				peer_chan(USER_MSG, g.channel, g.call, "r", 1);
		}
	}
}

static void fail_from(uint64_t skip, uint64_t n)
{
	memset(text, 'm', sizeof text);
	rpc_serves(CALLER_ECHO);
	uint64_t before = host_blocks_in_use();
	host_fail_allocations(skip, n);
	converse();
	host_fail_allocations(UINT64_MAX / 2, 0);
	peer_chan(FROM_CLIENT, 9, 7, NULL, 0);
	caller_close();
	wait_ms(1000000);
	/* Six sequences, perhaps a node of a map that has grown. */
	CHECK(host_blocks_in_use() <= before + 8);
}

CASE_IS(rpc_each_allocation_fails_once, fail_from(allocation_to_fail(3), 1))
CASE_IS(rpc_three_allocations_fail, fail_from(allocation_to_fail(5), 3))
