/* SPDX-License-Identifier: BSD-2-Clause */
/* RPCBULK: `round_trips` (boot block) calls with BULK_BYTES of data each, which BLAST carries in up
 * to 64 fragments; the server looks at every byte and answers with nothing. How fast it was is on
 * the wire: bench/throughput.py. */
#pragma once

#include "xkernel/upi.h"

/* The largest message, less the headers of BID, CHAN and MSELECT. */
#ifndef BULK_BYTES
#define BULK_BYTES (64 * 1456 - 36)
#endif

enum { RPCBULK_START_US = 2000, RPCBULK_LINGER_US = 20000 };

int rpcbulk_init(struct xobj *self);
