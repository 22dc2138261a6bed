/* SPDX-License-Identifier: BSD-2-Clause */
/* Stacks under mpbench: apps/mpbench/udp, tcp, and sum, which only sums memory. */
#pragma once

#include <stdint.h>

#ifndef MPBENCH_BYTES
#define MPBENCH_BYTES 4096 /* of user data in a packet */
#endif
#ifndef MPBENCH_EACH
/* TCP: 1: each processor has a connection of its own; 2: there are as many, and each processor
 * takes packets of all of them in turn. */
#define MPBENCH_EACH 0
#endif
#ifndef MPBENCH_YIELD
/* Ticks for which a sender gives its processor away after each packet, as OSDI'94's yields (3.1).
 * There is no other thread, so it waits: MPBENCH_YIELD on average, drawn from half of it to one and
 * a half, since no kernel's yields are all of one length. 0: it does not yield. */
#define MPBENCH_YIELD 0
#endif

enum { BENCH_SENDS, BENCH_RECEIVES }; /* the boot block's role */
enum { BENCH_NUMBERS = 8 };

extern const char *const bench_graph;
extern const char *const bench_names[BENCH_NUMBERS]; /* NULL: no more */

/* On processor 0, when the graph has started: makes all that is missing, for so many processors. */
void bench_start(uint64_t processors);
/* One packet on this processor; an enum xk_result. XK_WOULD_BLOCK: not now. */
int bench_packet(uint64_t number);
/* Adds what each processor has counted so far. */
void bench_sum(uint64_t sum[BENCH_NUMBERS]);
