/* SPDX-License-Identifier: BSD-2-Clause */
/* Reference counts. Several processors change them atomically, or with XK_MP_ATOMIC off each under
 * a lock of its own, as OSDI'94 compares. */
#pragma once

#include <stdint.h>

#include "xkernel/lock/lock.h"

struct ref {
	uint64_t count;
#if XK_MP && !XK_MP_ATOMIC
	struct lock lock;
	uint64_t padding; /* a piece of a message is whole pairs of quadwords */
#endif
};

/* ref_set: of an object that nobody else knows yet. ref_down: what is left; whoever sees 0 has the
 * object for himself, with all that others did to it. ref_read: only 1 says more than that it was
 * so: then the reader's is the only reference. */
#if XK_MP
uint64_t ref_add_locked(struct ref *r, uint64_t what); /* the new value; with XK_MP_ATOMIC off */

static inline void ref_set(struct ref *r, uint64_t count)
{
	*r = (struct ref){ .count = count };
}

static inline void ref_up(struct ref *r)
{
	if (XK_MP_ATOMIC)
		atomic_add(&r->count, 1);
	else
		ref_add_locked(r, 1);
}

static inline uint64_t ref_down(struct ref *r)
{
	uint64_t left;

	if (!XK_MP_ATOMIC)
		return ref_add_locked(r, -(uint64_t)1);
	barrier_release();
	left = atomic_add(&r->count, -(uint64_t)1);
	if (!left)
		barrier_acquire();
	return left;
}

static inline uint64_t ref_read(const struct ref *r)
{
	return atomic_look(&r->count);
}
#else
/* Even an inline function can change the order of operands in an image. */
#define ref_set(r, n) ((r)->count = (n))
#define ref_up(r) ((r)->count++)
#define ref_down(r) (--(r)->count)
#define ref_read(r) ((r)->count)
#endif
