/* SPDX-License-Identifier: BSD-2-Clause */
/* A program from its beginning to its end. */
#include "test/fuzz/steps/steps.h"

#include <sanitizer/lsan_interface.h>

#include "platform/host/host.h"
#include "protocols/blast/blast.h"
#include "protocols/chan/chan.h"
#include "test/fuzz/check.h"
#include "test/fuzz/steps/crowd.h"
#include "test/fuzz/steps/known.h"
#include "test/host/caller.h"
#include "test/host/peer.h"
#include "test/host/user.h"

enum { IDLE_SECONDS = 1500 };

int64_t fuzz_refuse = -1;
static uint64_t idle_blocks, begun_with;

int64_t fuzz_allocations(void)
{
	return (int64_t)(host_allocations() - begun_with);
}

static void wait_step(const uint8_t *b)
{
	static const double units[] = { 0.1, 1, 10, 200, 500, 1000, 5000, 30000 };

	check_for(units[b[1] % 8] * (1 + b[2] % 16));
}

static void memory_step(const uint8_t *b)
{
	if (b[1] & 1)
		host_transmit_full(b[2] & 1);
	else
		host_fail_allocations(b[2] % 32, b[3] % 8);
}

static void (*const steps[STEPS])(const uint8_t *b) = {
	[STEP_WAIT] = wait_step,
	[STEP_TCP] = tcp_step,
	[STEP_USER] = user_step,
	[STEP_UDP] = udp_step,
	[STEP_ICMP] = icmp_step,
	[STEP_ARP] = arp_step,
	[STEP_FRAGMENT] = fragment_step,
	[STEP_BLAST] = blast_step,
	[STEP_CHAN] = chan_step,
	[STEP_LONG_CHAN] = long_chan_step,
	[STEP_BIDCTL] = bidctl_step,
	[STEP_CALL] = call_step,
	[STEP_RAW] = raw_step,
	[STEP_MEMORY] = memory_step,
	[STEP_TWISTED_TCP] = twisted_tcp_step,
	[STEP_UDP_USER] = udp_user_step,
	[STEP_LAYER_USER] = layer_user_step,
};

void run_step(const uint8_t *b)
{
	steps[b[0] % STEPS](b);
}

void fuzz_start(void)
{
	kernel_start();
	user_listen();
	caller_serve(CALLER_ECHO);
	check_for(IDLE_SECONDS * 1000.0);
	idle_blocks = host_blocks_in_use() - host_stacks();
	arp_packet(1, 0x0a000002, 0x0a000001);
	check_after_step();
	check_for(10000);
}

static void begin(enum scenario s)
{
	kernel_initial = known.peer_next = known.kernel_next = 0;
	switch (s) {
	case CONNECTED:
		peer_tcp(S, 0, 0, NULL, 0);
		check_after_step();
		peer_tcp(A, 1, 1, NULL, 0);
		known.peer_next = 1;
		break;
	case OPENING:
		user_open();
		break;
	case RPC_CLIENT:
	case RPC_SERVER:
		rpc_meet_now(s == RPC_CLIENT);
		break;
	default:
		break;
	}
	check_after_step();
}

/* It keeps the sequences of channels, as it should: then only what nothing points at is lost. */
static int chan_has_seen_any(void)
{
	return blast_counts.short_messages || blast_counts.long_messages || chan_counts.calls ||
	       layer_user_made_calls();
}

/* Everybody has gone home: connections, sessions, datagrams in pieces must have gone too. */
void wind_down(enum scenario s)
{
	host_fail_allocations(0, 0);
	host_transmit_full(0);
	caller.mode = CALLER_ECHO;
	while (caller.running)
		caller_let_go();
	if (user.session)
		user_close();
	crowd_ends();
	udp_user_ends();
	layer_user_ends();
	check_after_step();
	check_for(IDLE_SECONDS * 1000.0);
	if (user.session)
		user_close();
	crowd_ends();
	udp_user_ends(); /* what an open that waited has brought */
	layer_user_ends();
	user_ends_probing();
	check_for(60000);
	if (s < RPC_SERVER && !chan_has_seen_any() &&
	    host_blocks_in_use() - host_stacks() > idle_blocks)
		fuzz_fail("memory is still in use when all is idle");
	if (__lsan_do_recoverable_leak_check())
		fuzz_fail("memory that nothing points at");
	if (user.opening)
		fuzz_fail("an open that never ends");
}

void fuzz_run(const struct program *p)
{
	enum scenario s = p->scenario % SCENARIOS;

	begin(s);
	begun_with = host_allocations();
	if (fuzz_refuse >= 0)
		host_fail_allocations((uint64_t)fuzz_refuse, 1);
	for (int i = 0; i < p->steps && i < MAX_STEPS; i++) {
		run_step(p->step[i]);
		check_after_step();
	}
	if (p->scenario >= PATIENT)
		wind_down(s);
}
