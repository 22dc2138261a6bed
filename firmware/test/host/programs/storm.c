/* SPDX-License-Identifier: BSD-2-Clause */
/* Many calls between two machines over a wire that loses, repeats, delays and reorders frames,
 * while the machines reboot. Each is its own copy of the machine library; a reboot loads it afresh,
 * and what is under way on the wire still arrives.
 *
 * usage: storm CLIENT.so SERVER.so CALLS PERCENT SEED SERVER_REBOOTS CLIENT_REBOOTS
 * PERCENT of the frames are lost, as many are repeated up to 30 s later, as many overtaken.
 * Fails if a call is executed twice, ends twice or never, or ends well without being executed. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/host/machine.h"
#include "test/host/programs/storm.h"
#include "xkernel/upi.h"

enum { TICKS_PER_MS = 175000, MAX_FLYING = 4096 };
static const uint64_t LIMIT = 100000000ull; /* ms */

struct flying {
	uint64_t due; /* ticks */
	size_t bytes;
	uint8_t data[1514];
};

struct machine {
	struct loaded is;
	const char *path;
	uint64_t base;	  /* ticks at its last boot */
	uint64_t up_at;	  /* ms; 0: it is running */
	uint64_t reboots; /* still to come */
	uint64_t boots;
	struct flying *flying[MAX_FLYING]; /* towards it, the earliest last */
	size_t count;
};

struct account {
	uint8_t executed, done, lost_with_client;
};

static struct machine machines[2];
static struct account *accounts;
static uint64_t calls, begun, ended, percent, seed, state;
static uint64_t ok, reset, timed_out, other, executions, lost, repeated, overtaken;

static uint64_t random64(void)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> 8;
}

static void fail(const char *what, uint64_t call)
{
	printf("failed: %s, call %" PRIu64 " (seed %" PRIu64 ")\n", what, call, seed);
	exit(1);
}

static uint64_t next(void)
{
	return begun < calls ? ++begun : 0;
}

static void executed(uint64_t call)
{
	if (call == 0 || call > begun)
		fail("a request that nobody made", call);
	if (accounts[call].executed++)
		fail("executed twice", call);
	executions++;
}

static void done(uint64_t call, int result, int reply_is_right)
{
	if (accounts[call].done++)
		fail("ended twice", call);
	ended++;
	switch (result) {
	case XK_OK:
		ok++;
		if (!accounts[call].executed)
			fail("ended well, but was not executed", call);
		if (!reply_is_right)
			fail("another call's reply", call);
		break;
	case XK_RESET:
		reset++;
		break;
	case XK_TIMED_OUT:
		timed_out++;
		break;
	default:
		other++;
	}
}

static const struct storm_hooks hooks = { next, executed, done, random64, 2 };

static void boot(int role, uint64_t ms)
{
	struct machine *m = &machines[role];
	struct boot_params b = machine_boot((uint64_t)role);

	b.stack = 1;
	b.seed = seed * 1000 + m->boots++;
	machine_load(&m->is, m->path);
	*(const struct storm_hooks **)machine_symbol(&m->is, "storm_hooks") = &hooks;
	m->base = ms * TICKS_PER_MS;
	m->up_at = 0;
	m->is.start(&b, m->is.entry);
}

/* Its memory is gone; a client's calls under way end with it. */
static void halt(int role, uint64_t ms)
{
	struct machine *m = &machines[role];

	dlclose(m->is.library);
	m->up_at = ms + 1 + random64() % 20000;
	m->reboots--;
	if (role != 0)
		return;
	for (uint64_t call = 1; call <= begun; call++)
		if (!accounts[call].done && !accounts[call].lost_with_client) {
			accounts[call].lost_with_client = 1;
			ended++;
		}
}

static void push(struct machine *to, const struct host_frame *f, uint64_t due)
{
	size_t at = to->count;

	if (to->count == MAX_FLYING)
		return;
	while (at && to->flying[at - 1]->due <= due)
		at--;
	memmove(to->flying + at + 1, to->flying + at, (to->count++ - at) * sizeof *to->flying);
	to->flying[at] = malloc(sizeof **to->flying);
	to->flying[at]->due = due;
	to->flying[at]->bytes = f->bytes;
	memcpy(to->flying[at]->data, f->data, f->bytes);
}

/* Up to `time`, with each frame arriving at its moment. */
static void advance(struct machine *m, uint64_t time)
{
	while (m->count && m->flying[m->count - 1]->due <= time) {
		struct flying *f = m->flying[--m->count];

		if (!m->up_at) {
			m->is.run(f->due - 1 - m->base, 0);
			m->is.deliver(f->data, f->bytes);
		}
		free(f);
	}
	if (!m->up_at)
		m->is.run(time - m->base, 0);
}

/* A millisecond at least on the way, so that windows of one can be run machine by machine. */
static void carry(struct machine *from, struct machine *to)
{
	struct host_frame f;

	while (!from->up_at && from->is.take(&f)) {
		uint64_t due = f.time + from->base + TICKS_PER_MS + random64() % 1000;

		if (random64() % 100 < percent) {
			repeated++;
			push(to, &f, due + random64() % (30000ull * TICKS_PER_MS));
		}
		if (random64() % 100 < percent) {
			lost++;
			continue;
		}
		if (random64() % 100 < percent) {
			overtaken++;
			due += random64() % (20ull * TICKS_PER_MS);
		}
		push(to, &f, due);
	}
}

/* Spread over the calls, the two machines' not at the same time. */
static int reboot_is_due(int role, uint64_t all)
{
	const struct machine *m = &machines[role];
	uint64_t step = calls / (all + 1),
		 before = (m->reboots - 1) * step + step * (1 + 2 * role) / 4;

	return m->reboots && !m->up_at && ended >= calls - step / 4 - before;
}

int main(int argc, char **argv)
{
	uint64_t reboots[2], ms;

	if (argc != 8)
		return 2;
	for (int i = 0; i < 2; i++)
		machines[i].path = argv[1 + i];
	calls = strtoull(argv[3], NULL, 0);
	percent = strtoull(argv[4], NULL, 0);
	state = seed = strtoull(argv[5], NULL, 0);
	machines[1].reboots = reboots[1] = strtoull(argv[6], NULL, 0);
	machines[0].reboots = reboots[0] = strtoull(argv[7], NULL, 0);
	accounts = calloc(calls + 1, sizeof *accounts);
	boot(1, 0);
	boot(0, 0);
	for (ms = 1; ms < LIMIT && ended < calls; ms++) {
		for (int i = 0; i < 2; i++) {
			struct machine *m = &machines[i];

			if (m->up_at && m->up_at <= ms)
				boot(i, ms - 1);
			advance(m, ms * TICKS_PER_MS);
			if (!m->up_at && m->is.exit_code() != HOST_RUNNING) {
				printf("machine %d ended: %s\n", i, m->is.console());
				return 1;
			}
		}
		for (int i = 0; i < 2; i++)
			carry(&machines[i], &machines[1 - i]);
		for (int i = 0; i < 2; i++)
			if (reboot_is_due(i, reboots[i]))
				halt(i, ms);
	}
	if (ended < calls)
		fail("calls that never end", ended);
	printf("calls %" PRIu64 " ok %" PRIu64 " reset %" PRIu64 " timed_out %" PRIu64
	       " other %" PRIu64 " executed %" PRIu64 "\n",
	       ended, ok, reset, timed_out, other, executions);
	printf("frames lost %" PRIu64 " repeated %" PRIu64 " overtaken %" PRIu64 " seconds %" PRIu64
	       " boots %" PRIu64 " %" PRIu64 "\n",
	       lost, repeated, overtaken, ms / 1000, machines[0].boots, machines[1].boots);
	return 0;
}
