/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets of the production stack as sessions of the x-kernel's TCP, so that whatever is written
 * for that one talks to the other: cases, fuzzers, services.
 *
 * A session is a process with a socket: when the socket has news it reads in a thread of its own,
 * and what it has read is handed up. A user that does not restore its receive space has read, and
 * not consumed. */
#ifndef TEST_BSD_SESSIONS_H
#define TEST_BSD_SESSIONS_H

#include "bsd/tcp/tcp.h"
#include "xkernel/thread/thread.h"
#include "xkernel/upi.h"

struct session {
	struct xobj *self;
	struct socket *so; /* NULL: closed */
	struct thread thread;
	int queued, running;	     /* its thread */
	uint32_t shown;		     /* bytes that have gone up and are in the socket still */
	uint32_t initial, handed_up; /* the first byte's number; bytes that have gone up */
	int end_of_file;	     /* has been told */
	int ended, told;
	enum xk_close why;
};

struct xobj *session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			  struct socket *so);
void session_news(struct session *s); /* its thread is to look at the socket */
struct session *session_of_socket(const struct socket *so); /* NULL: none */
struct xobj *session_object(const void *session);
extern const struct xobj_ops tcp_session_ops;
enum xk_result session_result(int error);
int tcp_init(struct xobj *self);
#endif
