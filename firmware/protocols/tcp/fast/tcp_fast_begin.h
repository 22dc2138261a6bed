/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path as the rest of TCP sees it, in images with XK_FAST. */
#pragma once

#include "protocols/tcp/tcp_private.h"

void tcp_fast_begin(struct xobj *s);  /* an established connection may take the fast path */
void tcp_fast_last(struct xobj *s);   /* a segment has come for it */
void tcp_fast_forget(struct xobj *s); /* no longer */
void tcp_fast_freed(struct xobj *s);  /* the session itself is about to be */
int tcp_fast_push(struct xobj *s, struct msg *m);
void tcp_input_end(struct xobj *s); /* what is left to be sent when a segment has been dealt with */

/* tcp_fast_table.c, with XK_FAST_TABLE. */
struct tcp_fast_counts {
	uint64_t no_entry; /* another connection has the place: the general way */
};
extern struct tcp_fast_counts tcp_fast_counts;
void tcp_fast_enter(struct xobj *s);
void tcp_fast_leave(struct xobj *s);
