/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets by system calls, where the kernel has them. */
#include "kernel/user/calls.h"

int user_socket(void)
{
	return (int)user_call(CALL_SOCKET, 0, 0, 0, 0, 0);
}

int user_bind(int number, uint32_t port)
{
	return (int)user_call(CALL_BIND, (uint64_t)number, port, 0, 0, 0);
}

int user_limits(int number, uint32_t bytes, uint32_t mbuf_bytes)
{
	return (int)user_call(CALL_LIMITS, (uint64_t)number, bytes, mbuf_bytes, 0, 0);
}

int user_receive(int number, void *buffer, uint32_t bytes, struct socket_name *from, int wait)
{
	return (int)user_call(CALL_RECEIVE, (uint64_t)number, (uintptr_t)buffer, bytes,
			      (uintptr_t)from, (uint64_t)wait);
}

int user_borrow(int number, struct lent_piece *pieces, uint32_t bytes, struct socket_name *from,
		int wait)
{
	return (int)user_call(CALL_BORROW, (uint64_t)number, (uintptr_t)pieces, bytes,
			      (uintptr_t)from, (uint64_t)wait);
}

int user_send(int number, const void *data, uint32_t bytes, const struct socket_name *to)
{
	return (int)user_call(CALL_SEND, (uint64_t)number, (uintptr_t)data, bytes, (uintptr_t)to,
			      0);
}

int user_close(int number)
{
	return (int)user_call(CALL_CLOSE, (uint64_t)number, 0, 0, 0, 0);
}
