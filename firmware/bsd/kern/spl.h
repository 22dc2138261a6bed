/* SPDX-License-Identifier: BSD-2-Clause */
/* Levels: what may interrupt. splx() runs the software interrupt if it lets that in. */
#ifndef BSD_SPL_H
#define BSD_SPL_H

#include "platform/platform.h"

enum { SPL_SOFTNET = 1 }; /* above all threads, below the driver */

extern int softnet_pending;
void softnet_run(int level); /* at SPL_SOFTNET; `level` is the one to go to */

/* Holds off the software interrupt; the level before. */
static inline int splnet(void)
{
	return plat_ipl_raise(SPL_SOFTNET);
}

/* Holds off the driver, too. */
static inline int splimp(void)
{
	return plat_ipl_raise(IPL_NET);
}

static inline void splx(int level)
{
	if (softnet_pending && level < SPL_SOFTNET)
		softnet_run(level);
	else
		plat_ipl_set(level);
}
#endif
