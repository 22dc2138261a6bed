/* SPDX-License-Identifier: BSD-2-Clause */
/* Sleep and wakeup by channel: any address that both sides know. Processes only, no interrupt
 * handlers. A process looks for its reason again when it wakes. */
#ifndef KERNEL_SLEEP_H
#define KERNEL_SLEEP_H

#include <stdint.h>

struct process;

int sleep_on(const void *channel);	 /* -1: the process must end, or cannot sleep */
int sleep_for(uint64_t us);		 /* rounded up to timer interrupts; likewise */
void wakeup(const void *channel);	 /* all who sleep on it */
void sleep_interrupt(struct process *p); /* wakes this one */
#endif
