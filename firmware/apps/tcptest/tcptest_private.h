/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "apps/tcptest/tcptest.h"
#include "xkernel/thread/event.h"

struct tcptest {
	struct xobj *self, *session;
	uint64_t exchanges, warmup;
	uint64_t measured; /* exchanges up to the end of the measurement */
	uint64_t total;
	struct msg payload;	 /* of every request, each time the same bytes */
	uint64_t watched, quiet; /* exchanges at the last watch; watches without any since */
	uint64_t closed;
	struct event start, watch, finish;
};

extern struct tcptest tcptest;
extern const struct xobj_ops tcptest_client_ops, tcptest_server_ops;

void tcptest_client_start(void *arg);
void tcptest_close_done(struct xobj *self, struct xobj *session, enum xk_close why);
void tcptest_check(const struct msg *m); /* fails unless it is our byte */
void tcptest_restore_space(struct xobj *session);

/* many.c: XK_CONNECTIONS of them. The client's first is tcptest.session; a round trip of each is
 * followed by the next one's. */
struct xobj *tcptest_next(void);
void tcptest_open_others(void);
int tcptest_accepts(void); /* 0: all have come */
/* 1: it is the last one's end, or an error. The client closes one after the other. */
int tcptest_ends(struct xobj *session, enum xk_close why);
