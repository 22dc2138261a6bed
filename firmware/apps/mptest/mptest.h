/* SPDX-License-Identifier: BSD-2-Clause */
/* The test program of OSDI'94: each processor's loop sends messages, or counts what came up. */
#pragma once

#include "xkernel/lock/lock.h"
#include "xkernel/upi.h"

enum { MPTEST_PORT = 5001 };

struct mptest {
	struct xobj *self;
	struct lock lock; /* of the counts */
	uint64_t packets, bytes;
};
extern struct mptest mptest;

int mptest_init(struct xobj *self);
struct xobj *mptest_open(uint16_t port);	     /* a session to the peer's port; NULL: none */
int mptest_send(struct xobj *session, size_t bytes); /* one message; an enum xk_result */
