/* SPDX-License-Identifier: BSD-2-Clause */
/* The right edge: no peer is offered, and no user is handed, more than the user has ever allowed.
 *
 * The user allows by TCP_SET_RECEIVE_SPACE, which the model hears of before TCP does: it takes the
 * place of the session's control. What TCP has written down of its own offers plays no part. */
#pragma once

#include "protocols/tcp/tcp_private.h"

/* For each connection in the map, in any order, between the two. NULL: nothing is wrong. */
void right_edge_begin(void);
const char *right_edge_fault(struct xobj *session);
void right_edge_end(void);

/* The user allows so many bytes, up to the size, by another way than a control. */
void right_edge_allow(const struct xobj *session, uint32_t bytes);

/* Checks that a segment which the machine has sent offers no more. */
const char *right_edge_of_frame(const uint8_t *ip);
