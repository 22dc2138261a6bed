/* SPDX-License-Identifier: BSD-2-Clause */
#include "time.h"
#include "platform/platform.h"

clock_t clock(void)
{
	return (clock_t)(plat_ticks() / plat_boot()->ticks_per_us);
}

time_t time(time_t *seconds)
{
	time_t now = clock() / CLOCKS_PER_SEC;

	if (seconds)
		*seconds = now;
	return now;
}
