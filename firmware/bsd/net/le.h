/* SPDX-License-Identifier: BSD-2-Clause */
/* The LANCE as BSD's driver sees it: its interrupt copies a frame into mbufs, its start routine
 * copies mbufs into the chip's buffers. The chip itself is the x-kernel's driver's, which knows
 * receive messages as shepherds: this file gives it such. */
#ifndef BSD_LE_H
#define BSD_LE_H

#include "bsd/net/interface.h"

struct xobj;

int le_start(struct xobj *user, struct interface *i); /* -1: the driver does not start */

/* Hidden, as if they were static: a path has a copy of le_output(), the interface's `start`. Its
 * section is the images' first, where it has been measured. */
#pragma GCC visibility push(hidden)
__attribute__((section(".text.start"))) int le_output(struct interface *i);
extern struct xobj *le_session;
extern uint8_t le_joined[];
#pragma GCC visibility pop
#endif
