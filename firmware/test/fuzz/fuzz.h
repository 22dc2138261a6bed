/* SPDX-License-Identifier: BSD-2-Clause */
/* A fuzzer for the protocols: programs of packets, waiting times and acts of the user, grown by
 * coverage. docs/fuzzing.md. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

enum { STEP_BYTES = 16, MAX_STEPS = 48 };

/* An input: how it begins, then steps. Any bytes are a program. */
struct program {
	uint8_t scenario;
	uint8_t steps;
	uint8_t step[MAX_STEPS][STEP_BYTES];
};

/* What a step does: the first byte, modulo. */
enum step {
	STEP_WAIT,
	STEP_TCP,
	STEP_USER,
	STEP_UDP,
	STEP_ICMP,
	STEP_ARP,
	STEP_FRAGMENT,
	STEP_BLAST,
	STEP_CHAN,
	STEP_LONG_CHAN,
	STEP_BIDCTL,
	STEP_CALL,
	STEP_RAW,
	STEP_MEMORY,
	STEP_TWISTED_TCP,
	STEPS
};

enum scenario { LISTENING, CONNECTED, OPENING, DATAGRAMS, RPC_SERVER, RPC_CLIENT, SCENARIOS };

/* seeds.c: what begins a corpus; ends with an empty one. */
extern const struct program seeds[];

/* steps.c: runs a program on the machine that fuzz_start has started, checks what must hold, and
 * ends the process with 1 and a message if it doesn't. `patient`: also waits until all is idle. */
void fuzz_start(void);
void fuzz_run(const struct program *p, int patient);

/* cover.c: one byte a hashed edge, shared with the children. */
enum { MAP_BYTES = 1 << 16 };
extern uint8_t *cover_map;
void cover_init(void);
void cover_clear(void);
/* Since the last time: 0 nothing, 1 an edge another number of times, 2 an edge. Remembers it. */
int cover_is_new(void);
size_t cover_edges(void);
#endif
