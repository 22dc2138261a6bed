/* SPDX-License-Identifier: BSD-2-Clause */
/* Parallel TCP: a session's operations. Each takes the connection's locks, lets the state machine
 * work, releases them, and then does what it wants of other layers. */
#pragma once

#include "protocols/tcp/tcp.h"

int tcp_locked_pop(struct xobj *s, struct xobj *lower, struct msg *m, void *header);
int tcp_locked_control(struct xobj *s, int op, void *buffer, size_t bytes);
void tcp_locked_close(struct xobj *s);

/* Data segments that an established connection has got, and those whose sequence was not the one
 * expected once the lock was held (OSDI'94 Table 1). */
struct tcp_arrivals {
	uint64_t data, disordered;
} OWN_BLOCK;
extern struct tcp_arrivals tcp_arrivals PER_CPU;
