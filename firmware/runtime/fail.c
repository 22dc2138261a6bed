/* SPDX-License-Identifier: BSD-2-Clause */
/* How a program ends that cannot go on: by a trap that PALcode reports with all registers. */
#include "assert.h"
#include "boot/palcode.h"
#include "stdio.h"
#include "stdlib.h"

_Noreturn static void stop(void)
{
	for (;;)
		__asm__ volatile("call_pal %0" : : "i"(PAL_BUGCHK) : "memory");
}

void mcpi_assert_failed(const char *condition, const char *file, int line, const char *function)
{
	printf("%s:%d: %s: assertion failed: %s\n", file, line, function, condition);
	stop();
}

void abort(void)
{
	stop();
}
