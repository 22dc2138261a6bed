/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "apps/xrpctest/xrpctest.h"
#include "xkernel/thread/event.h"

struct xrpctest {
	struct xobj *self, *session;
	uint64_t calls, warmup;
	uint64_t measured; /* calls up to the end of the measurement */
	uint64_t total;
	uint64_t watched, quiet; /* calls at the last watch; watches without any since */
	struct event start, watch, finish;
};

extern struct xrpctest xrpctest;
extern const struct xobj_ops xrpctest_server_ops;

void xrpctest_client_start(void *arg);

/* many.c: XK_CONNECTIONS of them. The first is xrpctest.session; a call of each is followed by the
 * next one's. */
struct xobj *xrpctest_next(void);
void xrpctest_open_others(void);
void xrpctest_close_all(void);
void xrpctest_finish(void *arg); /* says so, and ends the machine's work */
