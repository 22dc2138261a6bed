/* SPDX-License-Identifier: BSD-2-Clause */
/* Displaces blocks of the caches between two packets, as a machine's other work does (BSD_POLLUTER,
 * BSD_NEIGHBOURS). */
#ifndef BSD_POLLUTE_H
#define BSD_POLLUTE_H

#include "bsd/switches.h"

void pollute(void);
#endif
