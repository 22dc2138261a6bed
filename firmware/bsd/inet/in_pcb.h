/* SPDX-License-Identifier: BSD-2-Clause */
/* Control blocks of the Internet protocols: a connection's two ends, its socket, its route. */
#ifndef BSD_IN_PCB_H
#define BSD_IN_PCB_H

#include "bsd/inet/protocol.h"
#include "bsd/net/route.h"
#include "bsd/socket/socket.h"

struct in_pcbs { /* a protocol's list */
	struct inpcb *first;
	uint32_t next_port; /* host order */
};

struct inpcb {
	struct inpcb *next, **link;
	struct in_pcbs *list;
	uint32_t foreign_host, local_host; /* as on the wire; 0: any */
	uint16_t foreign_port, local_port;
	struct socket *socket;
	void *protocol_pcb;
	struct route route;
};

enum { FIRST_FREE_PORT = 1024, LAST_PORT = 65535 };

int in_pcballoc(struct socket *so, struct in_pcbs *list); /* enum bsd_error */
/* To our address; name->port 0: a free one. */
int in_pcbbind(struct inpcb *p, const struct in_name *name);
int in_pcbconnect(struct inpcb *p, const struct in_name *name);
void in_pcbdetach(struct inpcb *p); /* frees it, and the socket if nobody else has that */
/* The block for a packet between these two; with `wildcard` also one that knows less of them. */
NOT_INLINE struct inpcb *in_pcblookup(const struct in_pcbs *list, uint32_t foreign,
				      uint32_t foreign_port, uint32_t local, uint32_t local_port,
				      int wildcard);
#endif
