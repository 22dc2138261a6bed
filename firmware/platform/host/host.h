/* SPDX-License-Identifier: BSD-2-Clause */
/* One x-kernel machine as a library, in virtual time: for tests that play its peer frame by frame.
 *
 * The kernel runs on contexts of its own whenever the harness lets time pass; it takes no time
 * itself. Everything is deterministic. All times are ticks of boot_params.ticks_per_us. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"

enum { HOST_RUNNING = -1 }; /* host_exit_code while the machine works */

struct host_frame {
	uint64_t time;
	size_t bytes;
	uint8_t data[1514];
};

/* Starts the machine: runs entry (the kernel's main) until it first sleeps. */
void host_start(const struct boot_params *boot, int (*entry)(void));

/* Lets virtual time pass up to and including `time`. Stops early when the kernel sends a frame and
 * `until_frame` is set. Returns the time reached. */
uint64_t host_run(uint64_t time, int until_frame);
uint64_t host_now(void);
int host_exit_code(void);

void host_deliver(const void *frame, size_t bytes); /* arrives now; runs no code yet */
void host_hold_network(void); /* what arrives now interrupts together with the next timer tick */
int host_take(struct host_frame *frame); /* oldest frame sent; 0: none */
void host_transmit_full(int full);	 /* 1: xPush answers XK_WOULD_BLOCK */

/* Runs f(arg) in a kernel thread, now. Returns when the kernel sleeps again (f may be blocked). */
void host_call(void (*f)(void *arg), void *arg);

/* Calls it whenever all threads of the kernel wait: after each frame, timer and call. NULL: nobody.
 */
void host_watch(void (*watcher)(void));

const char *host_console(void); /* everything printed so far */

/* Allocation: fails `count` times after `skip` successful ones. Numbers for leak checks. */
void host_fail_allocations(uint64_t skip, uint64_t count);
uint64_t host_allocations(void); /* asked for so far */
uint64_t host_blocks_in_use(void);
uint64_t host_stacks(void); /* of these, threads' stacks: the kernel never frees one */
