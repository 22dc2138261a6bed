/* SPDX-License-Identifier: BSD-2-Clause */
/* One machine that lives through all inputs: what an input leaves behind is there when the next one
 * comes. Inputs are seeds.c's, changed at random; seed and number of inputs say all. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/host/host.h"
#include "protocols/chan/chan.h"
#include "protocols/tcp/tcp.h"
#include "test/fuzz/bins.h"
#include "test/fuzz/check.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/steps/conversations.h"
#include "test/fuzz/steps/crowd.h"
#include "test/fuzz/steps/known.h"
#include "test/fuzz/steps/steps.h"
#include "test/host/caller.h"
#include "test/host/peer.h"

enum { HOME_AFTER = 256, HANG_SECONDS = 20, LONGEST_USUAL_WAIT = 5 };

static uint64_t state, most;

static uint32_t random32(uint32_t below)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(state >> 33) % below;
}

/* Is it about what this run is about? Memory is counted when all have gone home, and CHAN keeps
 * some by design (steps.c): it only has a part in its own run. */
int live_belongs(enum step s, enum live what)
{
	switch (s) {
	case STEP_WAIT:
	case STEP_MEMORY:
		return 1;
	case STEP_BLAST:
	case STEP_CHAN:
	case STEP_LONG_CHAN:
	case STEP_BIDCTL:
	case STEP_CALL:
	case STEP_LAYER_USER:
		return what == LIVE_RPC;
	default:
		return what == LIVE_TCP;
	}
}

/* Datagrams only now and then, besides connections. */
static const struct program *a_seed(enum live what)
{
	size_t count;
	const struct program *seeds = seed_programs(&count), *p;
	int first = what == LIVE_RPC ? RPC_SERVER : LISTENING, last = RPC_CLIENT;

	if (what == LIVE_TCP)
		last = random32(8) ? OPENING : DATAGRAMS;
	do
		p = &seeds[random32((uint32_t)count)];
	while (p->scenario % SCENARIOS < first || p->scenario % SCENARIOS > last);
	return p;
}

/* A segment of a peer that mostly means well: what comes next, or a little before or beyond it; an
 * ACK of all or of a part; now and then a window that is small or shut. */
static void talk(uint8_t *b)
{
	static const uint8_t flags[] = { 0x40, 0x40, 0x40, 0x80, 0x80, 0x80, 0x80, F | A },
			     rare[] = { R, S, S | A, F },
			     window_offsets[] = { 1, 3, 40, 99, 228, 255, 250 },
			     parts[] = { 163, 162, 161, 255, 240, 228, 1 };

	b[0] = STEP_TCP;
	b[1] = random32(32) ? flags[random32(8)] : rare[random32(4)];
	b[2] = random32(4) ? 0 : window_offsets[random32(7)];
	b[3] = random32(3) ? 0 : parts[random32(7)];
	b[4] = random32(2) ? 0 : (uint8_t)random32(random32(8) ? 100 : 256);
	b[5] = random32(2) ? 0 : (uint8_t)(1 + random32(16));
	b[6] = random32(5) == 0;
}

/* The user's acts meanwhile (acts.c, crowd.c). */
static void take_part(uint8_t *b)
{
	static const uint8_t what[] = { 0, 2, 3, 3, 3, 3, 5, 6, 6, 7 };

	b[0] = STEP_USER;
	b[1] = what[random32(10)];
	b[2] = (uint8_t)random32(b[1] == 3 ? 12 : 32);
	b[3] = (uint8_t)random32(256);
}

static void append(struct program *p, const uint8_t *b)
{
	if (p->steps < MAX_STEPS)
		memcpy(p->step[p->steps++], b, STEP_BYTES);
}

/* The peer fills the window, the user gives back a part of the room or none, and the peer sends
 * into the window that is shut: a probe, a longer segment, a FIN, a RST from far away. */
static void fill(struct program *p)
{
	const uint8_t mood[STEP_BYTES] = { STEP_USER, 6, random32(3) ? 1 : 16 },
		      long_one[STEP_BYTES] = { STEP_TCP, 0x40, 0, 0, 255, 0, 0, 2 },
		      pause[STEP_BYTES] = { STEP_WAIT, (uint8_t)(2 + random32(3)), 1 },
		      room[STEP_BYTES] = { STEP_USER, 7, 0,
					   (uint8_t)random32(random32(4) ? 4 : 99) };

	append(p, mood);
	for (uint32_t n = 3 + random32(2); n; n--)
		append(p, long_one);
	append(p, pause);
	append(p, room);
	for (uint32_t n = 1 + random32(3); n; n--) {
		static const uint8_t into[][5] = { { STEP_TCP, 0x40, 0, 0, 1 },
						   { STEP_TCP, 0x40, 0, 0, 40 },
						   { STEP_TCP, F | A, 0, 0, 0 },
						   { STEP_TCP, R, 200, 0, 0 } };
		uint8_t b[STEP_BYTES] = { 0 };

		memcpy(b, into[random32(4)], sizeof into[0]);
		append(p, b);
		append(p, random32(2) ? pause : long_one);
	}
}

/* The window is shut, the user's queue is full, and what opens the window brings text that the user
 * would send back: it waits for room within its upcall. */
static void stuff(struct program *p)
{
	static const uint8_t steps[][STEP_BYTES] = {
		{ STEP_USER, 6, 2 },	   { STEP_TCP, 0x40, 0, 0, 0, 0, 1 },
		{ STEP_USER, 3, 11, 100 }, { STEP_USER, 3, 11, 100 },
		{ STEP_WAIT, 5, 1 },	   { STEP_TCP, 0x40, 0, 0, 5 }
	};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		append(p, steps[i]);
}

/* The peer wants the machine's last long message again, more often than it is answered. */
static void ask_again(struct program *p)
{
	static const uint8_t nack[STEP_BYTES] = { STEP_BLAST, 0xc0, 0, 2 };

	for (uint32_t n = 1 + random32(24); n; n--)
		append(p, nack);
}

static void talk_on(struct program *p)
{
	switch (random32(8)) {
	case 0:
		fill(p);
		break;
	case 1:
		stuff(p);
		break;
	}
	for (uint32_t n = random32(20); n && p->steps < MAX_STEPS; n--) {
		uint8_t b[STEP_BYTES] = { STEP_WAIT, (uint8_t)random32(7), (uint8_t)random32(16) };

		if (random32(8))
			(random32(3) ? talk : take_part)(b);
		append(p, b);
	}
}

static struct program next_program(enum live what)
{
	const struct program *other = a_seed(what);
	struct program p = *a_seed(what);

	for (uint32_t n = random32(24); n; n--)
		program_mutate(&p, other, &state);
	if (what == LIVE_TCP && random32(4))
		p.steps = 0;
	if (what == LIVE_TCP)
		talk_on(&p);
	else if (random32(8) == 0)
		ask_again(&p);
	return p;
}

/* The answer to a SYN, with text: there is no handshake to wait for. */
static void answer_with_text(void)
{
	const uint8_t b[STEP_BYTES] = { STEP_TCP, S | A, 0, 0, (uint8_t)random32(256) };

	check_after_step();
	run_step(b);
}

/* A connection comes into being, or the last one goes on. */
static void begin_conversation(const struct program *p)
{
	converse(random32(CONVERSATIONS));
	arp_packet(1, 0x0a000000u + peer_number, 0x0a000001); /* or it would ask first */
	if (random32(8) == 0)
		crowd_listens();
	if (random32(2))
		return;
	conversation_anew(random32(1u << 31) * 2);
	switch (p->scenario % SCENARIOS) {
	case OPENING:
		crowd_opens();
		if (random32(2))
			answer_with_text();
		break;
	case LISTENING:
		break;
	default:
		peer_tcp(S, 0, 0, NULL, 0);
		check_after_step();
		peer_tcp(A, 1, 1, NULL, 0);
		known.peer_next = 1;
		break;
	}
	check_after_step();
}

static void run_input(const struct program *p, enum live what)
{
	if (what == LIVE_TCP)
		begin_conversation(p);
	else if (random32(4) == 0)
		rpc_meet_again();
	for (int i = 0; i < p->steps && i < MAX_STEPS; i++) {
		uint8_t b[STEP_BYTES];

		memcpy(b, p->step[i], sizeof b);
		b[0] %= STEPS;
		if (!live_belongs(b[0], what))
			continue;
		if (b[0] == STEP_WAIT && random32(16))
			b[1] %= LONGEST_USUAL_WAIT;
		if (what == LIVE_TCP && random32(6) == 0)
			converse(random32(CONVERSATIONS));
		if (b[0] == STEP_USER)
			crowd_step(b);
		else
			run_step(b);
		check_after_step();
		bins_of_step(b[0]);
		if (crowd_talks() > most)
			most = crowd_talks();
	}
	host_fail_allocations(0, 0);
	host_transmit_full(0);
}

static void live(enum live what, uint64_t inputs, volatile uint64_t *at)
{
	const struct itimerval patience = { .it_value = { .tv_sec = HANG_SECONDS } };

	fuzz_start();
	conversations_begin(CROWD_PORT);
	crowd_listens();
	if (what == LIVE_RPC)
		rpc_meet_now(1);
	for (uint64_t n = 1; n <= inputs; n++) {
		struct program p = next_program(what);

		*at = n;
		setitimer(ITIMER_PROF, &patience, NULL);
		run_input(&p, what);
		if (n % HOME_AFTER == 0 || n == inputs) {
			wind_down(what == LIVE_RPC ? RPC_SERVER : LISTENING);
			if (crowd_waits())
				fuzz_fail("an open that never ends");
			if (crowd_talks())
				fuzz_fail("a connection that never ends");
			crowd_listens();
		}
	}
	printf(
	    "%llu inputs, %.0f s of the machine's, %llu segments, %llu connections, "
	    "%llu at a time, %llu calls, %d executed\n",
	    (unsigned long long)inputs, now_ms() / 1000,
	    (unsigned long long)tcp_counts.segments_received,
	    (unsigned long long)(tcp_counts.connections_accepted + tcp_counts.connections_opened),
	    (unsigned long long)most, (unsigned long long)chan_counts.calls, caller.executed);
	bins_print(what);
}

int fuzz_live(enum live what, uint64_t seed, uint64_t inputs)
{
	volatile uint64_t *at =
	    mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	pid_t child;

	if (at == MAP_FAILED) {
		perror("mmap");
		return 2;
	}
	fflush(stdout);
	child = fork();
	if (!child) {
		state = seed;
		live(what, inputs, at);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("fork");
		return 2;
	}
	if (!status)
		return 0;
	if (WIFSIGNALED(status))
		fprintf(stderr, "signal %d%s\n", WTERMSIG(status),
			WTERMSIG(status) == SIGPROF ? ": it hangs" : "");
	printf("finding; again: fuzz --live %s %llu %llu\n", what == LIVE_RPC ? "rpc" : "tcp",
	       (unsigned long long)seed, (unsigned long long)*at);
	return 1;
}
