/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells the address sanitizer which bytes of a pool nobody may touch. */
#ifndef BSDNET_POISON_H
#define BSDNET_POISON_H

#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
static inline void poison(void *bytes, size_t count)
{
	__asan_poison_memory_region(bytes, count);
}

static inline void unpoison(void *bytes, size_t count)
{
	__asan_unpoison_memory_region(bytes, count);
}
#else
static inline void poison(void *bytes, size_t count)
{
	(void)bytes;
	(void)count;
}

static inline void unpoison(void *bytes, size_t count)
{
	(void)bytes;
	(void)count;
}
#endif
#endif
