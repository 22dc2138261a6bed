/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/lock.h"

#include "kernel/call.h"
#include "kernel/sleep.h"

int lock_wait(uint64_t *lock)
{
	while (*lock != LOCK_FREE) {
		*lock = LOCK_WAITED;
		if (sleep_on(lock))
			return -1;
	}
	*lock = LOCK_WAITED; /* others may still wait */
	return 0;
}

void lock_free(uint64_t *lock)
{
	uint64_t was = *lock;

	*lock = LOCK_FREE;
	if (was == LOCK_WAITED)
		wakeup(lock);
}
