/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of a litmus test (firmware/test/firmware_support/litmus.py): plain loads, stores and
 * the barrier. */
#pragma once

#include <stdint.h>

static inline uint64_t litmus_load(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline void litmus_store(uint64_t *p, uint64_t value)
{
	__atomic_store_n(p, value, __ATOMIC_RELAXED);
}

static inline void litmus_barrier(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* A part of an outcome as it is printed: a register, or a variable at the end. */
struct litmus_result {
	const char *name;
	int variable;
	unsigned at;
};

extern void (*const litmus_processors[])(uint64_t *v, uint64_t *r);
extern const unsigned litmus_count;
extern const struct litmus_result litmus_result[];
extern const unsigned litmus_result_count;
