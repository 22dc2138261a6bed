/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef XSOCKET_PRIVATE_H
#define XSOCKET_PRIVATE_H

#include "protocols/udp/udp.h"
#include "structures/xkernel/xsocket.h"

struct waiting { /* a datagram */
	struct msg msg;
	struct xobj *session; /* it came by; a reference of ours */
};

struct xsocket {
	const struct space *owner; /* NULL: free */
	struct xobj receiver;	   /* of UDP's sessions: whose `up` it is */
	uint16_t port;
	uint32_t bytes, limit;
	struct xobj *last; /* session of the datagram read last, by which it is answered; ours */
	uint32_t first, count;
	struct waiting waiting[XSOCKET_WAITING];
};

extern struct xsocket xsockets[XSOCKETS];
struct xsocket *xsocket_of(const struct process *p, int number); /* NULL: not its socket */
extern struct xobj *xsocket_protocol;
extern const struct xobj_ops xsocket_ops; /* of a receiver */

static inline struct socket_name xsocket_peer(struct xobj *session)
{
	struct socket_name name = { 0, 0 };

	xControl(session, XK_GET_PEER_HOST, &name.host, sizeof name.host);
	xControl(session, UDP_GET_PEER_PORT, &name.port, sizeof name.port);
	return name;
}
#endif
