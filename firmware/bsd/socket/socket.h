/* SPDX-License-Identifier: BSD-2-Clause */
/* Stream sockets: two buffers of mbufs between a program and a protocol. The names of functions are
 * BSD's. All of it in threads, at any level; what changes a socket holds off the software
 * interrupt. */
#ifndef BSD_SOCKET_H
#define BSD_SOCKET_H

#include "bsd/inet/protocol.h"
#include "bsd/mbuf/mbuf_lists.h"

enum socket_state {			/* bits */
		    SOCKET_NO_USER = 1, /* closed by the program; the protocol has it still */
		    SOCKET_CONNECTING = 2,
		    SOCKET_CONNECTED = 4,
		    SOCKET_DISCONNECTING = 8,
		    SOCKET_DISCONNECTED = 16,
		    SOCKET_CANT_SEND = 32,
		    SOCKET_CANT_RECEIVE = 64,
};

enum socket_option { /* bits */
		     SOCKET_ACCEPTS = 1,
		     SOCKET_KEEPALIVE = 2,
		     SOCKET_LINGER = 4, /* soclose waits until the connection is closed both ways */
};

enum {
	SOCKET_BYTES = 4096, /* of each buffer: as the x-kernel's TCP */
	SOCKET_BYTES_MOST = 65535,
	SEND_LEAST = CLUSTER_BYTES, /* a writer that waits wants room for so many */
	BACKLOG_MOST = 16,
};

struct socket_buffer {
	struct mbuf *first, *last;
	uint32_t bytes, mbuf_bytes; /* of data; of mbufs and clusters */
	uint32_t bytes_limit, mbuf_limit;
	uint32_t least;
	uint32_t waiting; /* somebody sleeps for it */
	uint32_t locked, wanted;
};

struct socket {
	uint32_t state, options;
	int error; /* for the program's next call */
	void *pcb;
	const struct protocol *protocol;
	struct socket_buffer send, receive;
	/* of a socket that listens, and of those that came by it */
	struct socket *head, *next;
	struct socket *incomplete, *complete; /* the oldest first */
	uint32_t incomplete_count, complete_count, backlog;
	void (*upcall)(struct socket *so, void *arg); /* its state or its data have changed */
	void *upcall_arg;
};

struct sockstat {
	uint64_t evicted; /* incomplete ones, for a newer one */
	uint64_t sent_bytes, received_bytes;
};
extern struct sockstat sockstat;

enum receive_flag { RECEIVE_PEEK = 1, RECEIVE_NO_WAIT = 2 };

/* socket.c: for programs. All: enum bsd_error. */
int socreate(struct socket **made, const struct protocol *protocol);
int sobind(struct socket *so, struct in_name *name);
int solisten(struct socket *so, uint32_t backlog);
int soaccept(struct socket *head, struct socket **taken, int wait);
int soconnect(struct socket *so, struct in_name *name, int wait);
int soshutdown(struct socket *so); /* we send no more */
int soclose(struct socket *so);
int soabort(struct socket *so);
int soreserve(struct socket *so, uint32_t send_bytes, uint32_t receive_bytes);

/* sosend.c, soreceive.c: *bytes is how much there is, and then how much was done. */
NOT_INLINE int sosend(struct socket *so, const void *from, uint32_t *bytes);
NOT_INLINE int soreceive(struct socket *so, void *to, uint32_t *bytes, int flags);
void soconsume(struct socket *so, uint32_t bytes); /* drops what RECEIVE_PEEK has shown */

/* socket_state.c: for protocols. */
void soisconnecting(struct socket *so);
void soisconnected(struct socket *so);
void soisdisconnecting(struct socket *so);
void soisdisconnected(struct socket *so);
void socantsendmore(struct socket *so);
void socantrcvmore(struct socket *so);
struct socket *sonewconn(struct socket *head); /* NULL: no memory */
void sofree(struct socket *so);
int soqremque(struct socket *so); /* out of its head's queues; 0: it was in none */

/* socket_buffer.c */
void sbreserve(struct socket_buffer *sb, uint32_t bytes);
NOT_INLINE void sbappend(struct socket_buffer *sb, struct mbuf *m);
void sbdrop(struct socket_buffer *sb, uint32_t bytes);
int sbwait(struct socket_buffer *sb); /* enum bsd_error */
int sblock(struct socket_buffer *sb); /* one program at a time; enum bsd_error */
void sbunlock(struct socket_buffer *sb);
NOT_INLINE void sowakeup(struct socket *so, struct socket_buffer *sb);

static inline uint32_t sbspace(const struct socket_buffer *sb)
{
	uint32_t bytes = sb->bytes_limit > sb->bytes ? sb->bytes_limit - sb->bytes : 0;
	uint32_t mbufs = sb->mbuf_limit > sb->mbuf_bytes ? sb->mbuf_limit - sb->mbuf_bytes : 0;

	return bytes < mbufs ? bytes : mbufs;
}

/* Is anybody to be woken? */
static inline int sb_notify(const struct socket *so, const struct socket_buffer *sb)
{
	return sb->waiting || so->upcall;
}
#endif
