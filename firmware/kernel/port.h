/* SPDX-License-Identifier: BSD-2-Clause */
/* Ports, as in Mach: queues of messages with one receiver. The kernel copies a message's bytes in
 * and out; what is too large for that goes through memory that a port's owner offers. */
#ifndef KERNEL_PORT_H
#define KERNEL_PORT_H

#include "kernel/process.h"

enum {
	PORTS = 32,
	PORT_NETWORK = 1,    /* received frames; the server's by agreement */
	PORT_SERVER,	     /* requests for a session with the server */
	PORTS_NAMED = 3,     /* these are made by their number, the others by the kernel */
	MESSAGES = 64,	     /* in all ports together */
	MESSAGE_DATA = 1600, /* bytes: a frame and its alignment */
	PORT_MESSAGES = 50,  /* that wait in one port */
};

struct message_header { /* what a user sees of a message */
	uint32_t kind;
	int32_t value;	     /* small ones go without data */
	uint32_t reply_port; /* 0: none */
	uint32_t bytes;	     /* of data */
	uint64_t more[2];
};

struct message {
	struct message *next;
	struct message_header header;
	uint32_t start; /* of the data in `data` */
	uint8_t data[MESSAGE_DATA] __attribute__((aligned(16)));
};

struct port_counts {
	uint64_t sent, received;
	uint64_t full;	     /* the port has PORT_MESSAGES already */
	uint64_t no_message; /* no buffer of the kernel is free */
	uint64_t no_port;
	uint64_t too_long;  /* data beyond MESSAGE_DATA, or beyond the receiver's buffer: cut */
	uint64_t discarded; /* in ports whose owner has ended */
};
extern struct port_counts port_counts;

void ports_start(void);
int port_create(struct process *owner, int number); /* 0: any. The number, or call_error */
int port_send(struct process *from, int port, const struct message_header *h, const void *data);
int port_receive(struct process *p, int port, struct message_header *h, void *data, uint32_t bytes,
		 int wait);
int port_offer(struct process *p, int port, const void *start); /* memory that senders may map */
void *port_map(struct process *p, int port);			/* NULL: none is offered */
void port_owner_ended(struct space *s);				/* its ports are gone */

/* For the kernel's own messages; the first two at any level. */
struct message *message_take(void);
void message_give(struct message *m);
int port_put(int port, struct message *m); /* call_error: the message is given back */
#endif
