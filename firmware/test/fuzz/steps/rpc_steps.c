/* SPDX-License-Identifier: BSD-2-Clause */
#include "platform/host/host.h"
#include "protocols/blast/blast.h"
#include "test/fuzz/bins.h"
#include "test/fuzz/check.h"
#include "test/fuzz/steps/known.h"
#include "test/fuzz/steps/steps.h"
#include "test/host/caller.h"
#include "test/host/rpc_peer.h"

enum { CALLS = 8, HEADERS = 24 + 28, CUT = 24 };

static uint32_t first_call = 1; /* of those the peer makes now */
static int calls_begun, may_call, is_open, serves = 1;

static void serve_or_not(void)
{
	host_fail_allocations(0, 0);
	if (serves)
		caller_ends_service();
	else
		caller_serve(caller.mode);
	serves = !serves;
}

static void meet(void)
{
	peer_bidctl(QUERY, peer_boot, 0, 77, 0);
	check_after_step();
	peer_bidctl(RESPONSE, peer_boot, kernel_boot, 0, known.tag);
	check_after_step();
}

void rpc_meet_again(void)
{
	int all_done = 1;

	meet();
	first_call += CALLS;
	if (!serves)
		serve_or_not();
	for (int i = 0; i < caller.calls; i++)
		all_done &= caller.call[i].done;
	if (all_done)
		caller.calls = calls_begun = 0;
}

void rpc_meet_now(int and_open)
{
	meet();
	may_call = is_open = and_open;
	if (and_open)
		caller_open();
}

/* A few bytes of the headers say something else, or the last ones are missing. */
static void patch(const uint8_t *b, int is_from_user)
{
	int headers = is_from_user ? HEADERS + 8 /* MSELECT's */ : HEADERS;

	if (b[6] & 1) {
		rpc_patch.offset = b[7] % 44 + (b[6] & 2 ? 0 : 16);
		rpc_patch.width = 1 + b[6] / 4 % 4;
		rpc_patch.value = known_get(b + 8, 4);
		if (rpc_patch.offset + rpc_patch.width > headers)
			rpc_patch.width = 0;
	}
	if (b[6] & 0x40)
		rpc_cut = b[7] % CUT;
}

static uint32_t channel_of(const uint8_t *b)
{
	return b[2] & 0x80 ? known.channel : b[2] % 6u;
}

static uint32_t call_of(const uint8_t *b)
{
	return b[3] & 0x80 ? known.call + known_distance(b[3] & 0x7f) : first_call + b[3] % CALLS;
}

void chan_step(const uint8_t *b)
{
	static uint8_t data[RPC_FRAGMENT];
	uint32_t flags = b[1] & 15;

	patch(b, !!(flags & USER_MSG));
	peer_chan(flags, channel_of(b), call_of(b), data,
		  known_get(b + 4, 2) % (RPC_FRAGMENT - RPC_HEADERS));
	rpc_patch.width = 0;
}

void long_chan_step(const uint8_t *b)
{
	static uint8_t data[64 * RPC_FRAGMENT - RPC_HEADERS];

	patch(b, 1);
	peer_fragments((b[1] & 15) | USER_MSG, channel_of(b), call_of(b), data,
		       (size_t)known_get(b + 4, 2) * 2 % sizeof data, 1 + b[12] % 64u,
		       b[13] % 8 ? SEND : 1u + b[13] / 8 % 3,
		       b[14] ? (uint64_t)b[14] * 0x0101010101010101 : ~(uint64_t)0);
	rpc_patch.width = rpc_cut = 0;
}

/* The peer's NACK of a message that the machine has sent. */
static void retransmit_request(uint32_t sequence)
{
	static uint32_t asked, times;

	times = asked == sequence ? times + 1 : 1;
	asked = sequence;
	bin(times <= BLAST_ANSWERS ? BIN_ASKS_FOR_OURS_AGAIN : BIN_ASKS_FOR_OURS_TOO_OFTEN);
}

void blast_step(const uint8_t *b)
{
	static uint8_t data[RPC_FRAGMENT];
	uint64_t mask =
	    b[6] & 1 ? (uint64_t)1 << b[7] % 64 : known_get(b + 8, 4) * (uint64_t)0x100000001;

	uint32_t sequence = b[1] & 0x80 ? known.sequence : b[1] % 8u;
	uint32_t count = b[2] & 0x80 ? b[2] : b[2] % 5u;

	if (b[1] & 0x40)
		count = known.fragments;
	if (b[3] % 5 == NACK && sequence == known.sequence && count == known.fragments)
		retransmit_request(sequence);
	peer_blast(sequence, count, b[3] % 5, mask, data, known_get(b + 4, 2) % (RPC_FRAGMENT + 1));
}

void bidctl_step(const uint8_t *b)
{
	const uint32_t ids[] = { peer_boot, kernel_boot, 0, peer_boot + b[6] };
	const uint32_t tags[] = { known.tag, 0, b[7], ~0u };

	if (b[5] & 1) {
		rpc_patch.offset = b[8] % 20;
		rpc_patch.width = 1;
		rpc_patch.value = b[9];
	}
	if (b[5] & 2)
		peer_boot += b[6]; /* it has booted anew */
	if (b[5] & 4)
		rpc_cut = b[10] % 20;
	peer_bidctl(b[1] & 15, ids[b[2] % 4], ids[(b[3] + 1) % 4], tags[b[4] % 4],
		    tags[b[4] / 4 % 4]);
}

/* Gives the channels back, or opens them again: calls under way end with the peer's reply. */
static void close_or_open(void)
{
	host_fail_allocations(0, 0); /* the script's own calls must succeed */
	if (is_open)
		caller_close();
	else
		caller_open();
	is_open = !is_open;
}

void call_step(const uint8_t *b)
{
	static const uint8_t request[60000];
	static const int operations[] = { 100, 101, 102, 103, 1300, 1500, 1501, 2200, 2201, 2203 };
	static const uint8_t modes[] = { CALLER_ECHO, CALLER_EMPTY, CALLER_FAIL, CALLER_SLOW };

	if (b[1] & 16) {
		caller_let_go();
	} else if (b[1] & 8) {
		serve_or_not();
	} else if (b[1] & 4) {
		if (may_call)
			close_or_open();
	} else if (b[1] & 2) {
		if (is_open)
			caller_control(operations[b[4] % 10], b[2] % 16);
	} else if (b[1] & 1) {
		caller.mode = modes[b[2] % 4];
	} else if (is_open && calls_begun < CALLER_MAX - 1) {
		calls_begun++;
		caller_call(request, (size_t)b[2] * (b[3] & 1 ? 200 : 4));
	}
}
