/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of sent data, and segments that go out. */
#pragma once

#include "protocols/tcp/tcp_private.h"

/* tcp_queue.c */
void tcp_queue_init(struct tcp_queue *q);
int tcp_queue_append(struct tcp_queue *q, struct msg *m); /* shares; -1: no memory */
void tcp_queue_drop(struct tcp_queue *q, uint32_t bytes); /* from the front */
/* m := bytes [from, from + bytes) shared; -1: no memory, m is empty */
int tcp_queue_share(struct tcp_queue *q, uint32_t from, uint32_t bytes, struct msg *m);
void tcp_early_free(struct tcp *t);

/* tcp_push.c, tcp_output.c, tcp_segment.c */
int tcp_push(struct xobj *s, struct msg *m);
int tcp_output(struct xobj *s);
/* A segment of no connection, answering `in`, sent through IP's session. */
void tcp_respond(struct xobj *ip_session, const struct tcp_segment *in, uint32_t sequence,
		 uint32_t ack, uint32_t flags);
void tcp_reset(struct xobj *ip_session, const struct tcp_segment *in);
int tcp_send_segment(struct xobj *s, uint32_t sequence, uint32_t from, uint32_t bytes,
		     uint32_t flags, uint32_t window);
