/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting for a quadword to change, by the kernel's futex: a queue of threads that only yield would
 * get a whole time slice each. */
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/host/atomic.h"

static uint64_t sleepers; /* anywhere: nobody is woken while there are none */

/* The low half of the word is what a futex can look at. */
static long futex(const uint64_t *p, int what, uint32_t number, const struct timespec *most)
{
	return syscall(SYS_futex, p, what, number, most, NULL, 0);
}

void host_sleep_while(const uint64_t *p, uint64_t seen)
{
	const struct timespec most = { 0, 1000000 };

	__atomic_add_fetch(&sleepers, 1, __ATOMIC_SEQ_CST);
	futex(p, FUTEX_WAIT_PRIVATE, (uint32_t)seen, &most);
	__atomic_sub_fetch(&sleepers, 1, __ATOMIC_SEQ_CST);
}

/* A sleeper that is missed here looks again after a millisecond. */
void host_wake(const uint64_t *p)
{
	if (__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST))
		futex(p, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
}
