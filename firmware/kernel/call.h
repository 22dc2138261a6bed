/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls: their numbers, and what they give below 0. What each does: kernel/user/calls.h. */
#ifndef KERNEL_CALL_H
#define KERNEL_CALL_H

#include <stdint.h>

enum call_number {
	CALL_EXIT,
	CALL_YIELD,
	CALL_SELF,
	CALL_START,
	CALL_WAIT,
	CALL_PRINT,
	CALL_TICKS,
	CALL_PAUSE,
	CALL_MEMORY,
	CALL_SLEEP,
	CALL_WAKEUP,
	CALL_SOCKET,
	CALL_BIND,
	CALL_LIMITS,
	CALL_RECEIVE,
	CALL_SEND,
	CALL_CLOSE,
	CALL_PORT_CREATE,
	CALL_PORT_SEND,
	CALL_PORT_RECEIVE,
	CALL_PORT_OFFER,
	CALL_PORT_MAP,
	CALL_FRAME_SEND,
	CALL_LOCK,
	CALL_UNLOCK,
	CALL_BORROW,
	CALLS,
};

enum call_error {
	ERROR_NO_CALL = -100, /* no such call, or none in this structure */
	ERROR_BAD_ADDRESS = -101,
	ERROR_BAD_NUMBER = -102, /* of a process, socket, port */
	ERROR_NO_MEMORY = -103,
	ERROR_ENDED = -104, /* while it waited */
	ERROR_FULL = -105,
	ERROR_TOO_LONG = -106,
	ERROR_IN_USE = -107,
	ERROR_WOULD_WAIT = -108,
	ERROR_NOT_SENT = -109,
	ERROR_NOT_OURS = -110,	 /* another process's port or child */
	ERROR_BROKE_RULE = -111, /* status of a process that the machine has trapped */
};

/* A lock of threads: a quadword of their memory, 0 if it is free (kernel/lock.h). */
enum { LOCK_FREE, LOCK_HELD, LOCK_WAITED };

int64_t user_call(uint64_t number, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);
#endif
