/* SPDX-License-Identifier: BSD-2-Clause */
/* The console, the tick counter and the way out: the system registers. */
#include "platform/alpha/device.h"
#include "platform/alpha/pal.h"
#include "platform/platform.h"

enum { CONSOLE_READABLE = 1, CONSOLE_WRITABLE = 2 };

extern const struct boot_params *boot_block; /* crt0.S */

const struct boot_params *plat_boot(void)
{
	return boot_block;
}

void plat_putc(char c)
{
	while (!(device_read_quad(SYSTEM_CONSOLE_STATUS) & CONSOLE_WRITABLE))
		;
	device_write_quad(SYSTEM_CONSOLE_DATA, (uint8_t)c);
}

uint64_t plat_ticks(void)
{
	return device_read_quad(SYSTEM_TIMER_TICKS);
}

_Noreturn void plat_exit(int code)
{
	pal_exit((uint64_t)code & 0xff);
}
