/* SPDX-License-Identifier: BSD-2-Clause */
/* What else a machine does between two packets, as far as caches notice (BSD_POLLUTER,
 * BSD_NEIGHBOURS). */
#ifndef BSD_POLLUTE_H
#define BSD_POLLUTE_H

#include "bsd/switches.h"

void pollute(void);
#endif
