/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP sockets: ports, and queues of datagrams that wait for their reader. */
#ifndef BSDNET_SOCKET_H
#define BSDNET_SOCKET_H

#include "bsdnet/inet/udp.h"

enum {
	SOCKETS = 16,
	FIRST_FREE_PORT = 1024,
	SOCKET_BYTES = 41600,	   /* limits of a new socket, as BSD's udp_recvspace */
	SOCKET_BYTES_MAX = 262144, /* BSD's sb_max */
};

enum socket_error {
	SOCKET_NONE = -1,	 /* no such socket, or none left */
	SOCKET_IN_USE = -2,	 /* the port is another's */
	SOCKET_BAD_ADDRESS = -3, /* the user's memory */
	SOCKET_WOULD_WAIT = -4,
	SOCKET_CLOSED = -5,   /* while it waited; or the caller must end */
	SOCKET_TOO_LONG = -6, /* a datagram, or a limit */
	SOCKET_NOT_SENT = -7,
	SOCKET_WRONG =
	    -8, /* a datagram whose sum its reader found wrong; soreceive keeps it back */
};

struct socket_buffer {
	struct mbuf *first, *last;  /* datagrams: an mbuf with the sender's name, then the data */
	uint32_t bytes, mbuf_bytes; /* of data and names; of mbufs and clusters */
	uint32_t bytes_limit, mbuf_limit;
};

struct socket {
	int in_use, closing, reading; /* reading: one reader copies */
	uint32_t generation;	      /* of this number */
	uint32_t port;
	struct udp_name peer; /* connected: only from and to it */
	struct socket_buffer receive;
	struct mbuf *lent; /* a datagram that its reader has, by soborrow */
};

struct socket_piece { /* of a datagram that is lent */
	const uint8_t *data;
	uint64_t bytes;
};

struct socket_counts {
	uint64_t full_bytes, full_mbufs; /* datagrams dropped at either limit */
	uint64_t no_mbuf;		 /* none for the sender's name */
	uint64_t read, read_bytes;	 /* datagrams and bytes that readers have got */
	uint64_t truncated;		 /* the reader's buffer was too short for all of it */
	uint64_t bad_address;		 /* the reader's memory: the datagram is lost */
	uint64_t discarded;		 /* datagrams in a socket that was closed */
	uint64_t sent;
};
extern struct socket_counts socket_counts;

/* socket.c. A socket is known by its number; below 0: enum socket_error. */
void sockets_start(void);
int socket_create(void);
int socket_bind(int number, uint32_t port); /* 0: a free one. The port */
int socket_connect(int number, const struct udp_name *peer);
int socket_limits(int number, uint32_t bytes, uint32_t mbuf_bytes); /* 0: twice the bytes */
int socket_close(int number);	    /* readers that wait get SOCKET_CLOSED */
void socket_end(struct socket *so); /* of one that closes, when its reader is done */
struct socket *socket_get(int number);
struct socket *socket_of(uint32_t port, const struct udp_name *from);

/* socket_buffer.c */
int socket_append(struct socket *so, struct mbuf *m, const struct udp_name *from);
struct mbuf *socket_free_first(struct socket *so); /* an mbuf of the first datagram: the next one */
struct mbuf *socket_take_first(struct socket *so); /* what is left of it: the caller's now */
void socket_drop_first(struct socket *so);	   /* the same, freed */
void socket_give_back(struct socket *so);	   /* what was lent */

/* reader.c: the socket with a datagram in it, whose name is gone, ours alone to take until
 * socket_taken. NULL: *error says why. */
struct socket *socket_take(int number, int wait, struct udp_name *from, int *error);
void socket_taken(struct socket *so);

/* soreceive.c, soborrow.c, sosend.c: bytes, or below 0. `from` may be NULL. What soborrow has given
 * is the reader's until the next soborrow of that socket, or until it is closed; `user` gets a
 * struct socket_piece for each piece, up to `bytes` bytes of them. */
int soreceive(int number, void *user, uint32_t bytes, struct udp_name *from, int wait);
int soborrow(int number, void *user, uint32_t bytes, struct udp_name *from, int wait);
int sosend(int number, const void *user, uint32_t bytes, const struct udp_name *to);
#endif
