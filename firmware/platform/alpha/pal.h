/* SPDX-License-Identifier: BSD-2-Clause */
/* CALL_PAL from C (palcode.md): arguments in a0 and a1, result in v0, t0 and t8-t11 spoilt. */
#pragma once

#include <stdint.h>

#include "boot/palcode.h"

#define PAL_SPOILS "$1", "$22", "$23", "$24", "$25", "memory"

static inline uint64_t pal_swpipl(uint64_t level)
{
	register uint64_t result __asm__("$0");
	register uint64_t argument __asm__("$16") = level;

	__asm__ volatile("call_pal %2"
			 : "=r"(result), "+r"(argument)
			 : "i"(PAL_SWPIPL)
			 : PAL_SPOILS);
	return result;
}

static inline uint64_t pal_rdps(void)
{
	register uint64_t result __asm__("$0");

	__asm__ volatile("call_pal %1" : "=r"(result) : "i"(PAL_RDPS) : PAL_SPOILS);
	return result;
}

static inline void pal_wtint(uint64_t sources)
{
	register uint64_t argument __asm__("$16") = sources;

	__asm__ volatile("call_pal %1" : "+r"(argument) : "i"(PAL_WTINT) : "$0", PAL_SPOILS);
}

/* The data TLB gets the page's entry; a translated machine's PALcode alone has it. */
static inline void pal_prefill(const void *address)
{
	register uint64_t argument __asm__("$16") = (uintptr_t)address;

	__asm__ volatile("call_pal %1" : "+r"(argument) : "i"(PAL_PREFILL) : PAL_SPOILS);
}

static inline void pal_imb(void)
{
	__asm__ volatile("call_pal %0" : : "i"(PAL_IMB) : "memory");
}

_Noreturn static inline void pal_exit(uint64_t code)
{
	register uint64_t service __asm__("$16") = CSERVE_EXIT;
	register uint64_t argument __asm__("$17") = code;

	for (;;)
		__asm__ volatile("call_pal %2"
				 : "+r"(service)
				 : "r"(argument), "i"(PAL_CSERVE)
				 : "$0", PAL_SPOILS);
}
