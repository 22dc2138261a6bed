/* SPDX-License-Identifier: BSD-2-Clause */
/* The cores of a machine, and how cores other than core 0 begin: boot/parallel/start.S holds them
 * until core 0 says so. A machine with one core has no register that counts cores. */
#pragma once

#include "machine.h"

#include <stdint.h>

#ifdef SYSTEM_CORE_COUNT
#include "platform/alpha/device.h"

extern char stack_top[];	     /* link.ld; core n has the n-th stack below */
extern uint64_t processors_released; /* start.S */
void processor_main(void);

static inline uint64_t this_core(void)
{
	return (uint64_t)(stack_top - (char *)__builtin_frame_address(0)) >> CORE_STACK_BITS;
}

static inline uint64_t all_cores(void)
{
	return device_read_quad(SYSTEM_CORE_COUNT);
}

static inline void start_others(void)
{
	processors_released = 1;
}
#else
static inline uint64_t this_core(void)
{
	return 0;
}

static inline uint64_t all_cores(void)
{
	return 1;
}

static inline void start_others(void)
{
}
#endif
