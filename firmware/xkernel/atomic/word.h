/* SPDX-License-Identifier: BSD-2-Clause */
/* Quadwords that several processors change. platform/alpha/atomic.h has them in assembly,
 * platform/host/atomic.h as C11's.
 *
 *	atomic_read, atomic_write		no order; the value alone matters
 *	atomic_look				a load after which barrier_acquire() follows
 *	atomic_publish				a store before which barrier_release() stands
 *	atomic_take				0 becomes 1: 1; else 0, also if the pair was lost
 *	atomic_swap				the old value
 *	atomic_compare_swap			1 if it was `old`, and is `value` now
 *	atomic_add				the new value
 *	barrier_acquire				what follows happens after what was seen before it
 *	barrier_release				what stands before it is visible before what follows
 *	barrier_drain				the stores before it leave the write buffer now
 *	atomic_wait				in a loop: until the word may be another than was
 *seen
 *
 * atomic_take to atomic_add have no order of their own on Alpha: the barriers stand around them.
 */
#pragma once

#ifdef __alpha__
#include "platform/alpha/atomic.h"
#else
#include "platform/host/atomic.h"
#endif
