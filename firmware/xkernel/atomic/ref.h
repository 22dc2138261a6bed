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
#endif
};

#if XK_MP && !XK_MP_ATOMIC
uint64_t ref_add_locked(struct ref *r, uint64_t what); /* the new value */
#else
static inline uint64_t ref_add_locked(struct ref *r, uint64_t what)
{
	return r->count += what;
}
#endif

static inline void ref_up(struct ref *r)
{
	if (!XK_MP)
		r->count++;
	else if (XK_MP_ATOMIC)
		atomic_add(&r->count, 1);
	else
		ref_add_locked(r, 1);
}

/* What is left. Whoever sees 0 has the object for himself, with all that others did to it. */
static inline uint64_t ref_down(struct ref *r)
{
	uint64_t left;

	if (!XK_MP)
		return --r->count;
	if (!XK_MP_ATOMIC)
		return ref_add_locked(r, -(uint64_t)1);
	barrier_release();
	left = atomic_add(&r->count, -(uint64_t)1);
	if (!left)
		barrier_acquire();
	return left;
}

/* Only 1 says more than that it was so: then the reader's is the only reference. */
static inline uint64_t ref_read(const struct ref *r)
{
	return XK_MP ? atomic_look(&r->count) : r->count;
}
