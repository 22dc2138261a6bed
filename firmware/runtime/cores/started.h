/* SPDX-License-Identifier: BSD-2-Clause */
/* How cores other than core 0 begin: boot/parallel/start.S holds them until core 0 says so. */
#pragma once

#include "machine.h"

#include <stdint.h>

#ifdef SYSTEM_CORE_COUNT
extern uint64_t processors_released; /* start.S */
void processor_main(void);

static inline void start_others(void)
{
	processors_released = 1;
}
#else
static inline void start_others(void)
{
}
#endif
