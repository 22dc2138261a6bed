/* SPDX-License-Identifier: BSD-2-Clause */
/* xkernel/atomic/word.h on Alpha: no barrier inside, no access between LDQ_L and STQ_C, and forward
 * branches on the unlikely way, which are predicted not taken. */
#pragma once

#include <stdint.h>

static inline uint64_t atomic_read(const uint64_t *p)
{
	return *(const volatile uint64_t *)p;
}

static inline void atomic_write(uint64_t *p, uint64_t value)
{
	*(volatile uint64_t *)p = value;
}

static inline uint64_t atomic_look(const uint64_t *p)
{
	return *(const volatile uint64_t *)p;
}

static inline void atomic_publish(uint64_t *p, uint64_t value)
{
	*(volatile uint64_t *)p = value;
}

static inline int atomic_take(uint64_t *p)
{
	uint64_t taken, seen;

	__asm__ volatile("\tbis $31,$31,%0\n"
			 "\tldq_l %1,%2\n"
			 "\tbne %1,1f\n"
			 "\tlda %0,1($31)\n"
			 "\tstq_c %0,%2\n"
			 "1:"
			 : "=&r"(taken), "=&r"(seen), "+m"(*p)
			 :
			 : "memory");
	return (int)taken;
}

static inline uint64_t atomic_swap(uint64_t *p, uint64_t value)
{
	uint64_t old, stored;

	__asm__ volatile("1:\tldq_l %0,%2\n"
			 "\tbis %3,%3,%1\n"
			 "\tstq_c %1,%2\n"
			 "\tbeq %1,2f\n"
			 "\t.subsection 2\n"
			 "2:\tbr 1b\n"
			 "\t.previous"
			 : "=&r"(old), "=&r"(stored), "+m"(*p)
			 : "r"(value)
			 : "memory");
	return old;
}

static inline int atomic_compare_swap(uint64_t *p, uint64_t old, uint64_t value)
{
	uint64_t stored, seen;

	__asm__ volatile("1:\tldq_l %1,%2\n"
			 "\tcmpeq %1,%3,%0\n"
			 "\tbeq %0,3f\n"
			 "\tbis %4,%4,%0\n"
			 "\tstq_c %0,%2\n"
			 "\tbeq %0,2f\n"
			 "3:\n"
			 "\t.subsection 2\n"
			 "2:\tbr 1b\n"
			 "\t.previous"
			 : "=&r"(stored), "=&r"(seen), "+m"(*p)
			 : "r"(old), "r"(value)
			 : "memory");
	return stored != 0;
}

static inline uint64_t atomic_add(uint64_t *p, uint64_t what)
{
	uint64_t sum, stored;

	__asm__ volatile("1:\tldq_l %0,%2\n"
			 "\taddq %0,%3,%0\n"
			 "\tbis %0,%0,%1\n"
			 "\tstq_c %1,%2\n"
			 "\tbeq %1,2f\n"
			 "\t.subsection 2\n"
			 "2:\tbr 1b\n"
			 "\t.previous"
			 : "=&r"(sum), "=&r"(stored), "+m"(*p)
			 : "r"(what)
			 : "memory");
	return sum;
}

static inline void barrier_acquire(void)
{
	__asm__ volatile("mb" : : : "memory");
}

static inline void barrier_release(void)
{
	__asm__ volatile("mb" : : : "memory");
}

static inline void barrier_drain(void)
{
	__asm__ volatile("mb" : : : "memory");
}

static inline void atomic_wait(const uint64_t *p, uint64_t seen)
{
}
