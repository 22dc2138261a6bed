/* SPDX-License-Identifier: BSD-2-Clause */
/* Socket calls of a kernel that has bsdnet in it. A socket belongs to its creator's space. */
#include "bsdnet/socket/socket.h"
#include "kernel/call.h"
#include "structures/inkernel/inkernel.h"

static const struct space *owner[SOCKETS];

static int result_of(int result)
{
	switch (result) {
	case SOCKET_NONE:
		return ERROR_BAD_NUMBER;
	case SOCKET_IN_USE:
		return ERROR_IN_USE;
	case SOCKET_BAD_ADDRESS:
		return ERROR_BAD_ADDRESS;
	case SOCKET_WOULD_WAIT:
		return ERROR_WOULD_WAIT;
	case SOCKET_CLOSED:
		return ERROR_ENDED;
	case SOCKET_TOO_LONG:
		return ERROR_TOO_LONG;
	case SOCKET_NOT_SENT:
		return ERROR_NOT_SENT;
	default:
		return result;
	}
}

static int is_owner(const struct process *p, int number)
{
	return number >= 0 && number < SOCKETS && owner[number] == p->space;
}

int inkernel_socket(struct process *p)
{
	int number = socket_create();

	if (number < 0)
		return ERROR_NO_MEMORY;
	owner[number] = p->space;
	return number;
}

int inkernel_bind(struct process *p, int number, uint32_t port)
{
	return is_owner(p, number) ? result_of(socket_bind(number, port)) : ERROR_BAD_NUMBER;
}

int inkernel_limits(struct process *p, int number, uint32_t bytes, uint32_t mbuf_bytes)
{
	if (!is_owner(p, number))
		return ERROR_BAD_NUMBER;
	return result_of(socket_limits(number, bytes, mbuf_bytes));
}

static int receive(int (*how)(int, void *, uint32_t, struct udp_name *, int), int number, void *to,
		   uint32_t bytes, struct socket_name *from, int wait)
{
	struct udp_name name;
	int result = how(number, to, bytes, &name, wait);

	if (result >= 0 && from)
		*from = (struct socket_name){ name.host, name.port };
	return result_of(result);
}

int inkernel_receive(struct process *p, int number, void *buffer, uint32_t bytes,
		     struct socket_name *from, int wait)
{
	if (!is_owner(p, number))
		return ERROR_BAD_NUMBER;
	return receive(soreceive, number, buffer, bytes, from, wait);
}

int inkernel_borrow(struct process *p, int number, void *pieces, uint32_t bytes,
		    struct socket_name *from, int wait)
{
	if (!is_owner(p, number))
		return ERROR_BAD_NUMBER;
	return receive(soborrow, number, pieces, bytes, from, wait);
}

int inkernel_send(struct process *p, int number, const void *data, uint32_t bytes,
		  const struct socket_name *to)
{
	struct udp_name name = { to->host, to->port };

	if (!is_owner(p, number))
		return ERROR_BAD_NUMBER;
	return result_of(sosend(number, data, bytes, &name));
}

int inkernel_close(struct process *p, int number)
{
	if (!is_owner(p, number))
		return ERROR_BAD_NUMBER;
	owner[number] = NULL;
	return result_of(socket_close(number));
}

void inkernel_ended(struct process *p)
{
	for (int number = 0; number < SOCKETS; number++)
		inkernel_close(p, number);
}
