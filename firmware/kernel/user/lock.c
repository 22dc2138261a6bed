/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/user/lock.h"

#include "kernel/call.h"

void user_lock(uint64_t *lock)
{
	uint64_t is_free = LOCK_FREE;

	if (!__atomic_compare_exchange_n(lock, &is_free, LOCK_HELD, 0, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		user_call(CALL_LOCK, (uintptr_t)lock, 0, 0, 0, 0);
}

void user_unlock(uint64_t *lock)
{
	uint64_t held = LOCK_HELD;

	/* Where somebody waits, the kernel frees it: another thread may have it as soon as it is
	 * free. */
	if (!__atomic_compare_exchange_n(lock, &held, LOCK_FREE, 0, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		user_call(CALL_UNLOCK, (uintptr_t)lock, 0, 0, 0, 0);
}
