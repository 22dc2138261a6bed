/* SPDX-License-Identifier: BSD-2-Clause */
/* What all kinds of lock do while they wait: nothing that is stored where others look. */
#pragma once

#include <stdint.h>

#include "xkernel/lock/lock.h"

struct waiting {
	const struct lock *lock;
	uint64_t turns; /* so far: 0 until the lock was found taken */
};

#define WAITING(l)                                                                                 \
	{                                                                                          \
		(l), 0                                                                             \
	}

/* Says of each lock that is waited for who has it, who waits, and where in the program each asked
 * for it; then it ends the machine. */
_Noreturn void waiting_too_long(const struct waiting *w);
void waiting_count(const struct waiting *w);

/* Nobody loses a lock so often: the debug build gives up then. */
#ifndef WAITING_LIMIT
#define WAITING_LIMIT 1000000
#endif

/* The word `p` was seen to be `seen`. */
static inline void waiting_turn(struct waiting *w, const uint64_t *p, uint64_t seen)
{
	w->turns++;
	if (XK_CHECKS && w->turns > WAITING_LIMIT)
		waiting_too_long(w);
	atomic_wait(p, seen);
}

static inline void waiting_ends(const struct waiting *w)
{
	if (w->turns)
		waiting_count(w);
}
