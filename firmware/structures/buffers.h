/* SPDX-License-Identifier: BSD-2-Clause */
/* How many buffers bsdnet has, wherever it runs. */
#ifndef STRUCTURES_BUFFERS_H
#define STRUCTURES_BUFFERS_H

enum { MBUFS = 1024, CLUSTERS = 512 };
#endif
