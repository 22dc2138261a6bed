/* SPDX-License-Identifier: BSD-2-Clause */
/* xkernel/atomic/word.h on the host. The accesses carry the order, in C11's terms, which
 * ThreadSanitizer knows; the barriers only stop the compiler. */
#pragma once

#include <stdint.h>

/* More threads than processors may wait, so who waits sleeps (sleep.c). */
void host_sleep_while(const uint64_t *p, uint64_t seen);
void host_wake(const uint64_t *p);

static inline uint64_t atomic_read(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline void atomic_write(uint64_t *p, uint64_t value)
{
	__atomic_store_n(p, value, __ATOMIC_RELAXED);
}

static inline uint64_t atomic_look(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static inline void atomic_publish(uint64_t *p, uint64_t value)
{
	__atomic_store_n(p, value, __ATOMIC_RELEASE);
	host_wake(p);
}

static inline int atomic_take(uint64_t *p)
{
	uint64_t free = 0;

	return __atomic_compare_exchange_n(p, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline uint64_t atomic_swap(uint64_t *p, uint64_t value)
{
	return __atomic_exchange_n(p, value, __ATOMIC_ACQ_REL);
}

static inline int atomic_compare_swap(uint64_t *p, uint64_t old, uint64_t value)
{
	return __atomic_compare_exchange_n(p, &old, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static inline uint64_t atomic_add(uint64_t *p, uint64_t what)
{
	return __atomic_add_fetch(p, what, __ATOMIC_ACQ_REL);
}

static inline void barrier_acquire(void)
{
	__asm__ volatile("" : : : "memory");
}

static inline void barrier_release(void)
{
	__asm__ volatile("" : : : "memory");
}

static inline void barrier_drain(void)
{
}

static inline void atomic_wait(const uint64_t *p, uint64_t seen)
{
	host_sleep_while(p, seen);
}
