/* SPDX-License-Identifier: BSD-2-Clause */
/* BSDTEST: TCPTEST's ping-pong by sockets. One byte to and fro over one connection, port 2001.
 *
 * The client connects, does `warmup` and then `round_trips` exchanges (boot block) and one more,
 * and closes; the server sends back what comes and closes when the client has. Each ends its
 * machine with 0 when the connection has been closed both ways, with 1 and a message when anything
 * went wrong. */
#pragma once

#include "bsd/tcp/tcp.h"

enum {
	BSDTEST_PORT = 2001,
	BSDTEST_CLIENT_PORT = 2002,
	BSDTEST_BYTE = 0x42,
	BSDTEST_START_US = 5000,  /* by then the server listens */
	BSDTEST_LINGER_US = 1000, /* so that the last ACK leaves before we do */
	BSDTEST_WATCH_US = 30000000,
	BSDTEST_WATCHES = 3, /* without progress: 90 s */
};

struct bsdtest {
	uint64_t exchanges, warmup;
	uint64_t measured; /* exchanges up to the end of the measurement */
	uint64_t total;
	uint64_t watched, quiet; /* exchanges at the last watch; watches without any since */
};
extern struct bsdtest bsdtest;

struct xobj;

int bsdtest_init(struct xobj *self);
void bsdtest_send(struct socket *so);	/* the byte */
int bsdtest_receive(struct socket *so); /* 0: the peer has closed */
void bsdtest_must(int error, const char *what);

void bsdtest_client(void); /* client.c */
void bsdtest_server(void); /* server.c */
