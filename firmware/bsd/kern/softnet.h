/* SPDX-License-Identifier: BSD-2-Clause */
/* The network's software interrupt: what the driver's interrupt leaves to be done at SPL_SOFTNET.
 *
 * It runs where splx() lets it in; if the machine is idle, or runs what has nothing to do with the
 * network, in a thread. */
#ifndef BSD_SOFTNET_H
#define BSD_SOFTNET_H

#include <stdint.h>

struct softstat {
	uint64_t requested;
	uint64_t by_thread, by_splx; /* runs; several requests may be one */
};
extern struct softstat softstat;

void softnet_start(void (*handler)(void));
void softnet_request(void); /* at any level */
#endif
