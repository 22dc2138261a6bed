/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting, for all kinds of lock: it stores nothing where others look. */
#pragma once

#include <stdint.h>

#include "xkernel/lock/lock.h"

/* Never given to a function: so it is in registers. A store to the stack in a loop of LDQ_L and
 * STQ_C could take the lock's block out of the b-cache each time. */
struct waiting {
	uint64_t turns; /* so far: 0 until the lock was found taken */
};

/* Says of each lock that is waited for who has it, who waits, and where in the program each asked
 * for it; then it ends the machine. */
_Noreturn void waiting_too_long(void);
void waiting_count(uint64_t turns);

/* Nobody loses a lock so often: the debug build gives up then. */
#ifndef WAITING_LIMIT
#define WAITING_LIMIT 1000000
#endif

/* The word `p` was seen to be `seen`. */
static inline void waiting_turn(struct waiting *w, const uint64_t *p, uint64_t seen)
{
	w->turns++;
	if (XK_CHECKS && w->turns > WAITING_LIMIT)
		waiting_too_long();
	atomic_wait(p, seen);
}

static inline void waiting_ends(const struct waiting *w)
{
	if (w->turns)
		waiting_count(w->turns);
}
