/* SPDX-License-Identifier: BSD-2-Clause */
/* Markers: labels of zero bytes that the counters' comparators watch (docs/architecture.md 4).
 *
 * Each expansion adds one record to the section .mcpi.markers, which is not loaded:
 *     .quad address   .long action   .long window
 * The code bytes are the same with and without; deleting the section leaves the image unchanged.
 * A marker alone in an `if` would have the address of what follows it: give it a function. */
#pragma once

/* clang-format off */
#define MARK_OPEN       1	/* the window opens before this instruction */
#define MARK_CLOSE      2	/* and closes before this one */
#define MARK_PAUSE      3	/* interrupt handler, context switch: out of the window */
#define MARK_RESUME     4
#define MARK_INVOCATION 5	/* one more invocation of the window */
#define MARK_EVENT      6	/* only a tick stamp; `window` is the event's number */

#define EVENT_ROUND_TRIP_START 1	/* client: the request is handed to the stack */
#define EVENT_ROUND_TRIP_END   2	/* client: the reply has come up */
#define EVENT_HAND_OVER        3	/* driver: OWN given to the chip */
#define EVENT_NET_INTERRUPT    4	/* first instruction of the network handler */
#define EVENT_MEASURE_START    5	/* warm-up is over */
#define EVENT_MEASURE_END      6	/* the last measured round trip is over */
#define EVENT_PROBE_AGAIN      7	/* the probe's second pass is over (structures/probe.h) */
/* clang-format on */

#define WINDOW_PATH 1
#define WINDOW_SPIN 2
#define WINDOW_HOLD 3
#define WINDOW_PROBE 4

#if defined(__ASSEMBLER__) && !defined(MCPI_NO_MARKERS)
/* clang-format off */
#define MARK_HERE(action, window) \
    9997: .pushsection .mcpi.markers, "", @progbits; \
    .quad 9997b; .long action, window; .popsection
/* clang-format on */
#elif defined(__ASSEMBLER__)
#define MARK_HERE(action, window)
#elif defined(__alpha__) && !defined(MCPI_NO_MARKERS)
#define MARK(action, window)                                                                       \
	__asm__ volatile("9997:\n\t.pushsection .mcpi.markers,\"\",@progbits\n\t"                  \
			 ".quad 9997b\n\t.long %0, %1\n\t.popsection"                              \
			 :                                                                         \
			 : "i"(action), "i"(window))
#else
#define MARK(action, window) ((void)0)
#endif
