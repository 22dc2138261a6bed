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
	if (__atomic_exchange_n(lock, LOCK_FREE, __ATOMIC_RELAXED) == LOCK_WAITED)
		user_call(CALL_UNLOCK, (uintptr_t)lock, 0, 0, 0, 0);
}
