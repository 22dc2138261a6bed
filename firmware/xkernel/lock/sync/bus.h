/* SPDX-License-Identifier: BSD-2-Clause */
/* The one-bit locks of the sync bus (docs/explanation/multiprocessor.md); on the host, words.
 *
 *	sync_take	it was free, and is the caller's now
 *	sync_give	it is free
 *	sync_word	what a waiter looks at */
#pragma once

#include <stdint.h>

#include "xkernel/atomic/word.h"

enum { SYNC_LOCKS = 1024 };

#ifdef __alpha__
#include "platform/alpha/device.h"

static inline int sync_take(uint64_t number)
{
	return !device_read_quad(SYSTEM_SYNC_LOCK + 8 * number);
}

static inline void sync_give(uint64_t number)
{
	device_write_quad(SYSTEM_SYNC_LOCK + 8 * number, 0);
}

static inline const uint64_t *sync_word(uint64_t number)
{
	return (const uint64_t *)(SYSTEM_SYNC_LOCK + 8 * number);
}
#else
extern uint64_t sync_words[SYNC_LOCKS];

static inline int sync_take(uint64_t number)
{
	return atomic_take(&sync_words[number]);
}

static inline void sync_give(uint64_t number)
{
	atomic_publish(&sync_words[number], 0);
}

static inline const uint64_t *sync_word(uint64_t number)
{
	return &sync_words[number];
}
#endif
