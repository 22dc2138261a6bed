/* SPDX-License-Identifier: BSD-2-Clause */
/* The datagram that a driver in memory takes up again and again (OSDI'94 2.3). */
#pragma once

#include <stddef.h>

struct msg;

/* A frame from the peer to MPTEST with `bytes` of data, whole and right; it lies where a driver
 * would put it. XK_NO_MEMORY if there is none for it. */
int mptest_template(struct msg *m, size_t bytes);
