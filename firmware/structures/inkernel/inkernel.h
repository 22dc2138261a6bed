/* SPDX-License-Identifier: BSD-2-Clause */
/* bsdnet in the kernel: what the structures bsd and hpux share. */
#ifndef INKERNEL_H
#define INKERNEL_H

#include "kernel/structure.h"

int inkernel_start(void);
extern const struct count inkernel_counts[];

/* sockets.c: the kernel's socket calls */
int inkernel_socket(struct process *p);
int inkernel_bind(struct process *p, int number, uint32_t port);
int inkernel_limits(struct process *p, int number, uint32_t bytes, uint32_t mbuf_bytes);
int inkernel_receive(struct process *p, int number, void *buffer, uint32_t bytes,
		     struct socket_name *from, int wait);
int inkernel_borrow(struct process *p, int number, void *pieces, uint32_t bytes,
		    struct socket_name *from, int wait);
int inkernel_send(struct process *p, int number, const void *data, uint32_t bytes,
		  const struct socket_name *to);
int inkernel_close(struct process *p, int number);
void inkernel_ended(struct process *p);

#define INKERNEL_SOCKETS                                                                           \
	{                                                                                          \
		.socket = inkernel_socket, .bind = inkernel_bind, .limits = inkernel_limits,       \
		.receive = inkernel_receive, .borrow = FBUFS ? inkernel_borrow : NULL,             \
		.send = inkernel_send, .close = inkernel_close, .ended = inkernel_ended,           \
	}
#endif
