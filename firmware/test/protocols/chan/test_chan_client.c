/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN as client, and the rows of the robustness table about it (rpc.md). */
#include "protocols/blast/blast.h"
#include "protocols/chan/chan.h"
#include "protocols/vchan/vchan.h"
#include "test/host/rpc_case.h"

/* VCHAN opens five channels and uses the last one first. */
enum { CLIENT_CHANNEL = 5 };
static uint8_t text[8000];

static void as_client(void)
{
	memset(text, 'T', sizeof text);
	rpc_calls();
}

/* A call from the kernel, with the request taken off the wire. */
static int call_begins(uint32_t channel, uint32_t sequence)
{
	int call = caller_call("q", 1);

	expect_chan(FROM_CLIENT | USER_MSG, channel, sequence);
	return call;
}

static void call_is_answered(uint32_t sequence)
{
	int call = call_begins(CLIENT_CHANNEL, sequence);

	peer_chan(USER_MSG, CLIENT_CHANNEL, sequence, "r", 1);
	call_ends(call, XK_OK);
}

CASE(chan_call_and_reply, as_client())
{
	for (uint32_t i = 1; i <= 20; i++) {
		int call = call_begins(CLIENT_CHANNEL, i); /* the channel used last is used first */

		peer_chan(USER_MSG, CLIENT_CHANNEL, i, "reply", 5);
		call_ends(call, XK_OK);
		CHECK_EQUAL(caller.call[call].reply_bytes, 5);
		CHECK(!memcmp(caller.call[call].reply, "reply", 5));
	}
	expect_no_frame(60000);
}

/* After 5, 15, 35 s, then every 20 s: the short request again. It gives up after twelve. */
CASE(chan_silence, as_client())
{
	struct rpc_frame g;
	int call = caller_call("q", 1);
	double start = expect_chan(FROM_CLIENT | USER_MSG, CLIENT_CHANNEL, 1).ms;

	for (int i = 0; i < 12; i++) {
		static const double at[] = { 5, 15, 35 };
		double seconds = i < 3 ? at[i] : 35 + 20 * (i - 2);

		g = expect_chan(FROM_CLIENT | USER_MSG | ACK_REQUESTED, CLIENT_CHANNEL, 1);
		CHECK(g.ms - start >= seconds * 1000 - 2 && g.ms - start <= seconds * 1000 + 20);
		CHECK_EQUAL(g.user_bytes, 1);
	}
	CHECK(!caller.call[call].done);
	expect_no_frame(21000);
	call_ends(call, XK_TIMED_OUT);
	/* A reply now is too late, and the channel is good for the next call. */
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "r", 1);
	CHECK_EQUAL(chan_counts.late_replies, 1);
	call_is_answered(2);
}

CASE(chan_give_up_limit, as_client())
{
	int call;

	CHECK_EQUAL(caller_control(CHAN_SET_TRIES, 0), XK_ERROR);
	CHECK_EQUAL(caller_control(CHAN_SET_TRIES, 2), XK_OK);
	/* VCHAN passes it to one channel of its stack, the lowest; use them all. */
	for (int i = 0; i < 5; i++)
		caller_call("q", 1);
	wait_ms(36000);
	for (call = 0; call < 5 && !caller.call[call].done; call++)
		;
	CHECK(call < 5);
	call_ends(call, XK_TIMED_OUT);
	CHECK_EQUAL(chan_counts.timed_out, 1);
}

/* Acknowledged: the caller waits as long as it takes, but goes on asking. */
CASE(chan_slow_server)
{
	rpc_keeps_alive = 1;
	as_client();
	int call = call_begins(CLIENT_CHANNEL, 1);
	for (int i = 0; i < 40; i++) {
		struct rpc_frame g =
		    expect_chan(FROM_CLIENT | USER_MSG | ACK_REQUESTED, CLIENT_CHANNEL, 1);

		peer_chan(0, CLIENT_CHANNEL, 1, NULL, 0);
		CHECK(i < 3 || now_ms() - g.ms < 1);
	}
	CHECK_EQUAL(chan_counts.acks_received, 40);
	CHECK(!caller.call[call].done);
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "r", 1);
	call_ends(call, XK_OK);
	expect_no_frame(60000);
}

/* After an acknowledgement the server dies silently: the caller is told in the end. */
CASE(chan_server_dies_silently, as_client())
{
	int call = call_begins(CLIENT_CHANNEL, 1);

	expect_chan(FROM_CLIENT | USER_MSG | ACK_REQUESTED, CLIENT_CHANNEL, 1);
	peer_chan(0, CLIENT_CHANNEL, 1, NULL, 0);
	for (int i = 0; i < 12; i++)
		expect_chan(FROM_CLIENT | USER_MSG | ACK_REQUESTED, CLIENT_CHANNEL, 1);
	expect_no_frame(21000);
	call_ends(call, XK_TIMED_OUT);
}

/* A long request is asked about by its header alone; a NACK brings it whole. */
CASE(chan_long_request, as_client())
{
	struct rpc_frame g;
	int call = caller_call(text, 4000);

	for (int i = 0; i < 3; i++)
		g = expect_rpc();
	g = expect_chan(FROM_CLIENT | ACK_REQUESTED, CLIENT_CHANNEL, 1);
	CHECK_EQUAL(g.length, 0);
	peer_chan(NEGATIVE_ACK, CLIENT_CHANNEL, 1, NULL, 0);
	for (uint64_t n = 0; n < 3; n++) {
		g = expect_rpc();
		CHECK_EQUAL(g.op, SEND);
		CHECK_EQUAL(g.mask, (uint64_t)1 << n);
	}
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "r", 1);
	call_ends(call, XK_OK);
	/* Nothing of it is kept any more. */
	peer_blast(g.sequence, 3, NACK, 0, NULL, 0);
	peer_blast(g.sequence - 1, 3, NACK, 0, NULL, 0);
	expect_no_frame(100);
	CHECK_EQUAL(blast_counts.nack_unknown, 2);
}

/* The reply was long and lost; the server asks by a header: the client wants it. */
CASE(chan_long_reply_lost, as_client())
{
	int call = call_begins(CLIENT_CHANNEL, 1);

	peer_chan_answered(ACK_REQUESTED, CLIENT_CHANNEL, 1, NULL, 0, FROM_CLIENT | NEGATIVE_ACK);
	peer_fragments(USER_MSG, CLIENT_CHANNEL, 1, text, 4000, 77, SEND, 7);
	call_ends(call, XK_OK);
	CHECK_EQUAL(caller.call[call].reply_bytes, 4000);
	CHECK(!memcmp(caller.call[call].reply, text, 4000));
}

/* The reply is here before the push of the request has returned: it is taken all the same. */
CASE(chan_early_reply, as_client())
{
	host_transmit_full(1);
	int call = caller_call(text, 4000);
	wait_ms(10);
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "early", 5);
	CHECK(!caller.call[call].done); /* still in its push */
	host_transmit_full(0);
	wait_ms(10);
	call_ends(call, XK_OK);
	CHECK(!memcmp(caller.call[call].reply, "early", 5));
	/* BLAST's copy of the request is free again. */
	peer_blast(expect_rpc().sequence, 3, NACK, 0, NULL, 0);
	CHECK_EQUAL(blast_counts.nack_unknown, 1);
}

/* An idle client acknowledges with the next number. */
CASE(chan_idle_client_acknowledges, as_client())
{
	int call = call_begins(CLIENT_CHANNEL, 1);

	peer_chan(USER_MSG | ACK_REQUESTED, CLIENT_CHANNEL, 1, "r", 1);
	call_ends(call, XK_OK);
	expect_chan(FROM_CLIENT, CLIENT_CHANNEL, 2);
	peer_chan(USER_MSG | ACK_REQUESTED, CLIENT_CHANNEL, 1, "r", 1);
	expect_chan(FROM_CLIENT, CLIENT_CHANNEL, 2);
	peer_chan(ACK_REQUESTED, CLIENT_CHANNEL, 1, NULL, 0);
	expect_chan(FROM_CLIENT, CLIENT_CHANNEL, 2);
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "r", 1);
	expect_no_frame(100);
}

/* Replies twice, to old calls, to calls not made yet. */
CASE(chan_wrong_replies, as_client())
{
	int call = call_begins(CLIENT_CHANNEL, 1);

	peer_chan(USER_MSG, CLIENT_CHANNEL, 0, "old", 3);
	peer_chan(USER_MSG, CLIENT_CHANNEL, 2, "new", 3);
	peer_chan(USER_MSG, 2, 1, "other", 5);
	CHECK(!caller.call[call].done);
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "right", 5);
	call_ends(call, XK_OK);
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "again", 5);
	CHECK(!memcmp(caller.call[call].reply, "right", 5));
	call = call_begins(CLIENT_CHANNEL, 2);
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "again", 5);
	CHECK(!caller.call[call].done);
	peer_chan(USER_MSG, CLIENT_CHANNEL, 2, "two", 3);
	call_ends(call, XK_OK);
	CHECK(!memcmp(caller.call[call].reply, "two", 3));
}

/* The server reboots in the middle of a call: it fails once, and is never silently repeated. */
CASE(chan_server_reboots)
{
	uint32_t old = peer_boot;

	as_client();
	int call = call_begins(CLIENT_CHANNEL, 1);
	expect_chan(FROM_CLIENT | USER_MSG | ACK_REQUESTED, CLIENT_CHANNEL, 1);
	/* The new boot gets a message for the old one, and teaches: BID's empty message. */
	peer_boot = OTHER_BOOT;
	rpc_cut = 16;
	rpc_patch = (struct rpc_patch){ 8, 4, 12 };
	peer_chan(0, CLIENT_CHANNEL, 1, NULL, 0);
	CHECK(!caller.call[call].done);
	peer_answers_query();
	call_ends(call, XK_RESET);
	CHECK_EQUAL(chan_counts.reset, 1);
	expect_no_frame(60000);
	/* The old boot's reply comes late. */
	peer_boot = old;
	peer_chan(USER_MSG, CLIENT_CHANNEL, 1, "late", 4);
	peer_boot = OTHER_BOOT;
	peer_answers_query();
	/* The channel is open again. */
	call_is_answered(2);
}

/* Closed in the middle of everything: nothing stays but the five sequences. */
CASE(chan_closed, rpc_start())
{
	uint64_t before = host_blocks_in_use();

	caller_open();
	call_is_answered(1);
	caller_close();
	wait_ms(100000);
	CHECK(host_blocks_in_use() <= before + 5);
	caller_open(); /* the same channel goes on where it was */
	int call = caller_call("q", 1);
	CHECK(expect_rpc().call >= 1);
	expect_no_frame(100);
	CHECK(!caller.call[call].done);
}

/* Closed without memory to remember its sequence, a channel is used again as it is, but for what
 * its last user asked of it. */
CASE(chan_used_again, as_client())
{
	CHECK_EQUAL(caller_control(VCHAN_SET_CHANNELS, 1), XK_OK);
	CHECK_EQUAL(caller_control(CHAN_SET_TRIES, 2), XK_OK);
	host_fail_allocations(0, 1);
	caller_close();
	host_fail_allocations(UINT64_MAX / 2, 0);
	caller_open();
	CHECK_EQUAL(caller_control(VCHAN_SET_CHANNELS, 1), XK_OK);
	int call = call_begins(1, 1);
	for (int i = 0; i < CHAN_TRIES; i++)
		expect_chan(FROM_CLIENT | USER_MSG | ACK_REQUESTED, 1, 1);
	CHECK(!caller.call[call].done);
	expect_no_frame(60000);
	call_ends(call, XK_TIMED_OUT);
}
