/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets above the x-kernel's UDP: a protocol whose users are processes. A datagram stays in its
 * message, which lies in the frames that came, until the reader copies it. */
#ifndef XSOCKET_H
#define XSOCKET_H

#include "kernel/structure.h"
#include "xkernel/upi.h"

enum { XSOCKETS = 16, XSOCKET_WAITING = 64, XSOCKET_BYTES = 41600 };

struct xsocket_counts {
	uint64_t received;
	uint64_t full; /* no room by bytes, or XSOCKET_WAITING wait already */
	uint64_t read;
	uint64_t truncated; /* the reader's buffer was shorter */
	uint64_t discarded; /* in a socket that was closed */
	uint64_t no_memory;
};
extern struct xsocket_counts xsocket_counts;

int xsocket_init(struct xobj *self);

int xsocket_socket(struct process *p);
int xsocket_bind(struct process *p, int number, uint32_t port);
int xsocket_limits(struct process *p, int number, uint32_t bytes, uint32_t mbuf_bytes);
int xsocket_receive(struct process *p, int number, void *buffer, uint32_t bytes,
		    struct socket_name *from, int wait);
int xsocket_send(struct process *p, int number, const void *data, uint32_t bytes,
		 const struct socket_name *to);
int xsocket_close(struct process *p, int number);
void xsocket_ended(struct process *p);
#endif
