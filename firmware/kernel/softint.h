/* SPDX-License-Identifier: BSD-2-Clause */
/* The software interrupt: what an interrupt handler leaves to be done at level 0. It is a thread,
 * which runs before any process returns to user mode. */
#ifndef KERNEL_SOFTINT_H
#define KERNEL_SOFTINT_H

#include <stdint.h>

struct softint_counts {
	uint64_t requested, run; /* several requests may be one run */
};
extern struct softint_counts softint_counts;

void softint_start(void (*handler)(void));
void softint_request(void); /* at any level */
#endif
