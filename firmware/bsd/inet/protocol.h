/* SPDX-License-Identifier: BSD-2-Clause */
/* The switch of protocols: what IP and the sockets call. */
#ifndef BSD_PROTOCOL_H
#define BSD_PROTOCOL_H

#include <stdint.h>

struct mbuf;
struct socket;

enum user_request { /* of a socket, by a protocol's usrreq; BSD's PRU_ */
		    REQUEST_ATTACH,
		    REQUEST_DETACH,
		    REQUEST_BIND,
		    REQUEST_LISTEN,
		    REQUEST_CONNECT,
		    REQUEST_ACCEPT,
		    REQUEST_DISCONNECT,
		    REQUEST_SHUTDOWN,
		    REQUEST_RECEIVED,
		    REQUEST_SEND,
		    REQUEST_ABORT,
};

struct in_name { /* as on the wire */
	uint32_t host;
	uint16_t port;
};

struct protocol {
	void (*input)(struct mbuf *m, uint32_t header); /* `header`: IP's, still in front */
	/* enum bsd_error. `m`: what is to be sent, the protocol's now. */
	int (*usrreq)(struct socket *so, int request, struct mbuf *m, struct in_name *name);
	void (*fast)(void), (*slow)(void); /* each 200 ms, each 500 ms */
};

extern const struct protocol *const protocol_of[]; /* by IP's number; NULL: none */
#endif
