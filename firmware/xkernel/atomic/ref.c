/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/atomic/ref.h"

#if XK_MP && !XK_MP_ATOMIC
uint64_t ref_add_locked(struct ref *r, uint64_t what)
{
	uint64_t sum;

	lock_acquire(&r->lock, LOCK_TAS);
	sum = r->count + what;
	atomic_write(&r->count, sum);
	lock_release(&r->lock, LOCK_TAS);
	return sum;
}
#endif
