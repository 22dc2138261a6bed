/* SPDX-License-Identifier: BSD-2-Clause */
/* Mach's Unix server, a process, and the emulator library in its clients agree on this. A client
 * asks PORT_SERVER for a session and gets a worker of its own: a port, and a buffer that both map.
 * Requests are messages with a reply port; data go through the buffer. */
#ifndef MACH_SERVER_H
#define MACH_SERVER_H

#include "kernel/port.h"
#include "kernel/user/calls.h"
#include "kernel/user/lock.h"
#include "platform/platform.h"

enum { WORKERS = 4, SHARED_BYTES = 65536 };

enum request {
	REQUEST_SESSION, /* value of the reply: the worker's port */
	REQUEST_SOCKET,
	REQUEST_BIND,	 /* more: port */
	REQUEST_LIMITS,	 /* more: bytes, bytes of mbufs */
	REQUEST_RECEIVE, /* more: bytes, wait; reply: host, port */
	REQUEST_SEND,	 /* more: bytes, host << 32 | port */
	REQUEST_CLOSE,
	MESSAGE_FRAME,	     /* by the kernel, to PORT_NETWORK */
	MESSAGE_HALF_SECOND, /* likewise */
	MESSAGE_END,	     /* likewise: the server says its counts, and network_input ends */
};

struct mach_counts { /* in the kernel */
	uint64_t received;
	uint64_t no_buffer; /* no message of the kernel is free */
	uint64_t filtered;  /* no IP */
};
extern struct mach_counts mach_counts;

extern const struct program mach_server;

/* server/ is the server, emulator/ in its clients, user/ in both. network_input.c: */
void network_input(uint64_t unused); /* a thread: frames into mbufs, and up to the sockets */

/* server_environment.c */
int server_net_start(const struct boot_params *boot); /* -1: no memory */
extern int server_net_requested;		      /* net_run is to be called */
extern uint64_t *server_lock;			      /* of all that bsdnet keeps */

/* worker.c */
struct worker {
	int port;
	void *shared; /* where the server has it */
};
void worker(uint64_t w); /* a thread: struct worker */

/* user/calls.c: what only the server and its clients call */
int port_new(int number);
int message_send(int port, const struct message_header *h, const void *data);
int message_receive(int port, struct message_header *h, void *data, uint32_t bytes);
int shared_offer(int port, const void *start);
void *shared_map(int port); /* NULL: none */
int frame_send(const void *frame, uint32_t bytes);
#endif
