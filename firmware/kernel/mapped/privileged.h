/* SPDX-License-Identifier: BSD-2-Clause */
/* PALcode's calls for address spaces and handlers (palcode.md). */
#ifndef MAPPED_PRIVILEGED_H
#define MAPPED_PRIVILEGED_H

#include "platform/alpha/pal.h"

static inline uint64_t physical(const volatile void *kseg)
{
	return (uintptr_t)kseg & 0x3ffffffff;
}

static inline void privileged_handler(void (*handler)(void), uint64_t which)
{
	register uint64_t a0 __asm__("$16") = (uintptr_t)handler;
	register uint64_t a1 __asm__("$17") = which;

	__asm__ volatile("call_pal %2" : "+r"(a0), "+r"(a1) : "i"(PAL_WRENT) : "$0", PAL_SPOILS);
}

static inline void privileged_forget(int64_t what)
{
	register int64_t a0 __asm__("$16") = what;

	__asm__ volatile("call_pal %1" : "+r"(a0) : "i"(PAL_TBI) : "$0", PAL_SPOILS);
}
#endif
