/* SPDX-License-Identifier: BSD-2-Clause */
/* With BSD_LOCKS: locks where a kernel of several processors has them. Everybody who takes one has
 * held off those who interrupt him, so our one processor finds each free: what costs is
 * LDQ_L, STQ_C and the barriers. */
#ifndef BSD_SIMPLE_LOCK_H
#define BSD_SIMPLE_LOCK_H

#include "bsd/switches.h"
#include "xkernel/atomic/word.h"

struct simple_lock {
#if BSD_LOCKS
	uint64_t word;
#endif
};

#if BSD_LOCKS
static inline void simple_lock(struct simple_lock *l)
{
	while (!atomic_take(&l->word))
		continue;
	barrier_acquire();
}

static inline void simple_unlock(struct simple_lock *l)
{
	barrier_release();
	atomic_write(&l->word, 0);
}
#else
static inline void simple_lock(struct simple_lock *l)
{
}

static inline void simple_unlock(struct simple_lock *l)
{
}
#endif
#endif
