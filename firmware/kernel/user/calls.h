/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's calls. Below 0: enum call_error. A program's memory is what the kernel gave it:
 * its stack, and what memory_get returned; anything else in a call is a bad address. */
#ifndef USER_CALLS_H
#define USER_CALLS_H

#include "kernel/call.h"
#include "kernel/structure.h"

_Noreturn void user_exit(int status);
void user_yield(void);
int user_self(void);
int user_start(void (*entry)(uint64_t), uint64_t argument, enum priority priority); /* a thread */
int user_wait(int child);							    /* its status */
void user_print(const char *text);
void user_print_number(uint64_t number);
uint64_t user_ticks(void);
int user_pause(uint64_t us);	   /* sleeps so long */
void *user_memory(uint64_t bytes); /* zeroed; NULL: none */
int user_sleep(const void *channel);
int user_sleep_unlocked(const void *channel, uint64_t *lock); /* frees it, and misses no wakeup */
void user_wakeup(const void *channel);

/* Sockets: by system calls, or in Mach by messages to the server (structures/mach/emulator.c). */
int user_socket(void);
int user_bind(int number, uint32_t port);
int user_limits(int number, uint32_t bytes, uint32_t mbuf_bytes); /* 0: twice the bytes */
int user_receive(int number, void *buffer, uint32_t bytes, struct socket_name *from, int wait);
/* Where a datagram's pieces lie, which the program may read until it borrows the next one. `bytes`:
 * of `pieces`. Where the kernel lends (FBUFS). */
int user_borrow(int number, struct lent_piece *pieces, uint32_t bytes, struct socket_name *from,
		int wait);
int user_send(int number, const void *data, uint32_t bytes, const struct socket_name *to);
int user_close(int number);
#endif
