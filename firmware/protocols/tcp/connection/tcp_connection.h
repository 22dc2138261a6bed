/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections: open, established, closed, and what a user may ask of them. */
#pragma once

#include "protocols/tcp/tcp_private.h"

/* tcp_state.c */
/* The connection is over: timers off, out of the map, waiters woken, the user told. */
void tcp_drop(struct xobj *s, enum xk_close why);
void tcp_enter_time_wait(struct xobj *s);

/* tcp_session.c */
struct xobj *tcp_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      struct xobj *lower, uint32_t remote, uint32_t ports);
void tcp_set_peer_segment_max(struct xobj *s, uint32_t bytes);
void tcp_close(struct xobj *s); /* the session's close operation */
void tcp_shutdown(struct xobj *s);
void tcp_become_established(struct xobj *s);

/* tcp_open.c */
struct xobj *tcp_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts);
int tcp_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		    struct part *parts);
int tcp_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts);

/* tcp_control.c */
int tcp_control(struct xobj *object, int op, void *buffer, size_t bytes);

/* protocols/keepalive, in images with XK_KEEPALIVE. */
int tcp_keepalive_set(struct xobj *session, uint32_t seconds);
void tcp_keepalive_heard(const struct xobj *session); /* an ACK without any news */
void tcp_keepalive_forget(struct xobj *session);
