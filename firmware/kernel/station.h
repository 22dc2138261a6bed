/* SPDX-License-Identifier: BSD-2-Clause */
/* The Ethernet driver, for structures without an x-kernel graph. What it receives goes to whoever
 * implements xkernel/thread/shepherd.h: the structure. */
#ifndef KERNEL_STATION_H
#define KERNEL_STATION_H

#include <stddef.h>

int station_start(void); /* -1: the driver does not start */

/* Sends a frame that `fill` writes. -1: no memory, or the driver has no room. */
int station_send(size_t bytes, void (*fill)(void *frame, const void *arg), const void *arg);
#endif
