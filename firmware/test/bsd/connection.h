/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection of the production stack in neutral words: the headers of the two stacks cannot be
 * included by one file. */
#ifndef TEST_BSD_CONNECTION_H
#define TEST_BSD_CONNECTION_H

#include <stdint.h>

enum { EARLY_LOOKED_AT = 32 };

struct connection {
	const void *id;
	void *socket, *session; /* session: the sessions.h one, or NULL */
	uint64_t key;		/* {remote address, our port, its port} as on the wire */
	uint32_t state, timer[4], ack_delayed, fin_sent, user_closed, passive;
	uint32_t send_una, send_next, send_max, send_window, segment_max;
	uint32_t receive_initial, receive_next, receive_advertised, receive_space, receive_size;
	uint32_t queued, queue_limit;
	uint32_t early_count; /* by the stack */
	uint32_t early_seen;
	struct {
		uint32_t sequence, bytes, fin;
	} early[EARLY_LOOKED_AT];
};

/* The next one in the stack's list; NULL: from the first. 0: there is none. */
int connection_next(struct connection *c, void **place);
/* That of a socket; 0: it has none. */
int connection_of_socket(struct connection *c, void *socket);
/* Half-open connections by the sockets that listen. */
uint32_t connections_half_open(void);
void connection_abort(void *socket);
uint32_t connection_first_byte(const void *socket); /* its sequence number */

/* mirror.c: what tests of the x-kernel's TCP look at, made of the above. */
void *mirror_make(void *session);	 /* a session's state */
void *mirror_protocol(void);		 /* the protocol's state */
void *mirror_session(const void *state); /* NULL: a connection without one */
void *mirror_socket(const void *state);
void mirror_show(void *state, void *socket);	   /* as the connection is now */
void mirror_show_text(void *state, uint32_t next); /* what has gone up ends there */
#endif
