/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs on several cores. Core 0 runs main; the others wait for mcpi_on_all_cores(). On a
 * machine with one core all of this is there, too. */
#pragma once

#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

/* Bytes of a block that no other data shares, whatever the machine. */
#define MCPI_BLOCK 128

/* Number of this core, from 0, and how many there are. */
int mcpi_core(void);
int mcpi_cores(void);

/* Every core calls the function once; returns when all of these calls have. Called by core 0 alone,
 * and not in such a call. */
void mcpi_on_all_cores(void (*function)(void *argument), void *argument);

/* Waits until all cores are here. What each wrote before, all see after. */
void mcpi_barrier(void);

/* A lock of zeroes is free. What one holder wrote, the next one sees. */
struct mcpi_lock {
	uint64_t taken;
} __attribute__((aligned(MCPI_BLOCK)));
void mcpi_lock(struct mcpi_lock *lock);
void mcpi_unlock(struct mcpi_lock *lock);

/* Atomic: the first adds and returns the sum; the second stores `value` if the word is `old`, and
 * returns 1, else 0. Neither orders other accesses: mcpi_fence() does. */
uint64_t mcpi_atomic_add(uint64_t *word, uint64_t what);
int mcpi_compare_swap(uint64_t *word, uint64_t old, uint64_t value);

/* Accesses before the call are seen by all before accesses after it. */
void mcpi_fence(void);

__END_DECLS
