/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of the fuzzer for protocols that the production stack's machine does not have: nothing is
 * done. Their packets (packets.c) come all the same. */
#include "protocols/blast/blast.h"
#include "protocols/chan/chan.h"
#include "test/fuzz/steps/steps.h"
#include "test/host/caller.h"
#include "test/host/rpc_peer.h"

struct blast_counts blast_counts;
struct chan_counts chan_counts;
struct caller caller;
uint32_t kernel_boot;

static void nothing(const uint8_t *b)
{
	(void)b;
}

#define ABSENT(name)                                                                               \
	void name(const uint8_t *b)                                                                \
	{                                                                                          \
		nothing(b);                                                                        \
	}

ABSENT(blast_step)
ABSENT(chan_step)
ABSENT(long_chan_step)
ABSENT(bidctl_step)
ABSENT(call_step)
ABSENT(udp_user_step)
ABSENT(layer_user_step)

void rpc_meet_now(int and_open)
{
	(void)and_open;
}

void rpc_meet_again(void)
{
}

void caller_serve(enum caller_mode mode)
{
	(void)mode;
}

void caller_let_go(void)
{
}

void udp_user_ends(void)
{
}

int udp_user_sends_no_checksum(uint32_t port)
{
	(void)port;
	return 0;
}

void layer_user_ends(void)
{
}

int layer_user_made_calls(void)
{
	return 0;
}
