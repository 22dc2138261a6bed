/* SPDX-License-Identifier: BSD-2-Clause */
/* The production stack as a whole: a node of a protocol graph, on the driver. */
#ifndef BSD_BSD_H
#define BSD_BSD_H

struct xobj;

int bsd_init(struct xobj *self);
#endif
