/* SPDX-License-Identifier: BSD-2-Clause */
/* A fresh context: a stack that looks as if plat_switch (switch.S) had left it. */
#include "platform/platform.h"

/* In the order of switch.S. */
struct saved {
	uint64_t s0, s1, s2, s3, s4, s5, fp, ra;
};

void context_start(void); /* switch.S: calls s0(s1) */

plat_context plat_context_make(void *stack, size_t bytes, void (*entry)(void *), void *arg)
{
	uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)15;
	struct saved *saved = (struct saved *)(top - sizeof *saved);

	*saved = (struct saved){
		.s0 = (uintptr_t)entry,
		.s1 = (uintptr_t)arg,
		.ra = (uintptr_t)context_start,
	};
	return saved;
}
