/* SPDX-License-Identifier: BSD-2-Clause */
/* A fuzzer for the protocols: programs of packets, waiting times and acts of the user, grown by
 * coverage (libFuzzer). docs/verification/fuzzing.md. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { STEP_BYTES = 16, MAX_STEPS = 48, PATIENT = 246 };

/* An input: how it begins, then steps. Any bytes are a program. */
struct program {
	uint8_t scenario; /* modulo SCENARIOS; from PATIENT on it is patient */
	uint8_t steps;
	uint8_t step[MAX_STEPS][STEP_BYTES];
};

/* The kinds of step: the first byte, modulo. */
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
	STEP_UDP_USER,
	STEP_LAYER_USER,
	STEPS
};

enum scenario { LISTENING, CONNECTED, OPENING, DATAGRAMS, RPC_SERVER, RPC_CLIENT, SCENARIOS };

/* seeds.c: what begins a corpus, into files of this folder. */
void write_seeds(const char *folder);
const struct program *seed_programs(size_t *count);

/* program.c: bytes and programs; what bytes don't say is zero. One change, small or large; `other`
 * may give its end. Random numbers come from *state. */
struct program program_from(const uint8_t *bytes, size_t size);
size_t program_bytes(const struct program *p); /* of p itself, which are the bytes */
void program_mutate(struct program *p, const struct program *other, uint64_t *state);

/* steps.c: runs a program on the machine that fuzz_start has started, checks what must hold, and
 * ends the process with 1 and a message if it doesn't. A patient program also waits until all is
 * idle. */
void fuzz_start(void);
void fuzz_run(const struct program *p);

/* So many allocations of the next program's steps succeed, then one fails; below 0: none fails.
 * fuzz_allocations: so many were asked for since. */
extern int64_t fuzz_refuse;
int64_t fuzz_allocations(void);

/* live.c: so many inputs on one machine, in a process of its own. 0: nothing found; else 1, and the
 * line that shows it again has been printed. */
enum live { LIVE_TCP, LIVE_RPC };
int live_belongs(enum step s, enum live what); /* is a step of this kind taken there? */
int fuzz_live(enum live what, uint64_t seed, uint64_t inputs);

/* child.c: the same in a process of its own, which must end with status 0. `before_exit`: what it
 * does when all is well. */
int run_in_child(const struct program *p, void (*before_exit)(void));
