/* SPDX-License-Identifier: BSD-2-Clause */
/* Sleep and wakeup by channel: any address that both sides know. Threads only. Who wakes looks for
 * its reason again. */
#ifndef BSD_SLEEP_H
#define BSD_SLEEP_H

void sleep_start(void);
int tsleep(const void *channel);  /* keeps the level; -1: no stack for those who go on */
void wakeup(const void *channel); /* all who sleep on it; at SPL_SOFTNET or below */
#endif
