/* SPDX-License-Identifier: BSD-2-Clause */
/* Between the storm (storm.c) and the protocol on top of each of its machines (storm_user.c), which
 * are libraries of their own. Every call has a number; the storm keeps account of them all, and
 * survives the machines. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { STORM_THREADS = 48, STORM_CHANNELS = 32, STORM_MAX_BYTES = 24000 };

struct storm_hooks {
	uint64_t (*next)(void); /* a new call's number; 0: no more */
	void (*executed)(uint64_t call);
	void (*done)(uint64_t call, int result, int reply_is_right);
	uint64_t (*random)(void);
	uint64_t slow_percent; /* of the server's executions, which take up to 12 s */
};

extern const struct storm_hooks *storm_hooks; /* in the library; set before it starts */
