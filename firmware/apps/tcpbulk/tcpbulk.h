/* SPDX-License-Identifier: BSD-2-Clause */
/* TCPBULK: the client pushes `round_trips` (boot block) segments' worth of data as fast as it is
 * let, the server takes it and looks at every byte; then the client closes. Each machine ends with
 * 0 when its part is done. How fast it was is on the wire: bench/throughput.py. */
#pragma once

#include "xkernel/upi.h"

#ifndef BULK_BUFFER
#define BULK_BUFFER 4096 /* bytes, each way */
#endif

enum {
	TCPBULK_PORT = 2002,
	TCPBULK_SEGMENT = 1460,
	TCPBULK_START_US = 2000,
	TCPBULK_LINGER_US = 500000,
};

int tcpbulk_init(struct xobj *self);
