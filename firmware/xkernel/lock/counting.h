/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting locks: whoever has one may take it again, as a map's visitor does. */
#pragma once

#include "xkernel/lock/lock.h"
#include "xkernel/percpu/percpu.h"

struct counting_lock {
#if XK_MP
	struct lock lock;
	uint64_t owner; /* 1 + his number: only whether it is his own matters to who reads it */
	uint64_t depth;
#endif
};

#if XK_MP
static inline void counting_acquire(struct counting_lock *c)
{
	uint64_t me = percpu_number() + 1;

	if (atomic_read(&c->owner) == me) {
		c->depth++;
		return;
	}
	lock_acquire(&c->lock, XK_MP_MAP_LOCK);
	atomic_write(&c->owner, me);
	c->depth = 1;
}

static inline void counting_release(struct counting_lock *c)
{
	if (--c->depth)
		return;
	atomic_write(&c->owner, 0);
	lock_release(&c->lock, XK_MP_MAP_LOCK);
}
#else
static inline void counting_acquire(struct counting_lock *c)
{
}

static inline void counting_release(struct counting_lock *c)
{
}
#endif
