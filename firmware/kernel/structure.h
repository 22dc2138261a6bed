/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that a structure (firmware/structures/) gives the kernel: frames come in by them,
 * and socket calls are done by them. The linker chooses one structure. */
#ifndef KERNEL_STRUCTURE_H
#define KERNEL_STRUCTURE_H

#include "kernel/process.h"

struct socket_name { /* host order; the same words as a struct udp_name */
	uint32_t host, port;
};

struct lent_piece { /* of a datagram; the same words as a struct socket_piece */
	const uint8_t *data;
	uint64_t bytes;
};

/* Socket calls in the kernel. Results and errors as of the system calls. The kernel has checked all
 * addresses. A NULL: the call is not in this kernel. */
struct socket_calls {
	int (*socket)(struct process *p);
	int (*bind)(struct process *p, int number, uint32_t port);
	int (*limits)(struct process *p, int number, uint32_t bytes, uint32_t mbuf_bytes);
	int (*receive)(struct process *p, int number, void *buffer, uint32_t bytes,
		       struct socket_name *from, int wait);
	int (*borrow)(struct process *p, int number, void *pieces, uint32_t bytes,
		      struct socket_name *from, int wait);
	int (*send)(struct process *p, int number, const void *data, uint32_t bytes,
		    const struct socket_name *to);
	int (*close)(struct process *p, int number);
	void (*ended)(struct process *p); /* the last of its space: its sockets are closed */
};

struct structure {
	const char *name;
	int (*start)(void); /* drivers, protocols, servers. -1: it could not */
	struct socket_calls sockets;
	int (*frame_send)(struct process *p, const void *frame, uint32_t bytes); /* NULL: none */
	int (*finish)(void); /* 0: one more process will end when it has said all. NULL: none */
	const struct count *counts; /* where every message went; ends with a NULL */
};

struct count {
	const char *name;
	const uint64_t *value;
};

extern const struct structure structure;   /* of this image */
extern const struct program first_program; /* the application */

/* A process of its own space; its argument is the address of the boot parameters there. NULL: no
 * memory. */
struct process *process_start_with_boot(const struct program *program);
#endif
