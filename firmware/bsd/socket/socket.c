/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of a program, but for data. */
#include "bsd/socket/socket.h"

#include "bsd/error.h"
#include "bsd/kern/sleep.h"
#include "xkernel/memory/allocate.h"

int socreate(struct socket **made, const struct protocol *protocol)
{
	struct socket *so = xk_allocate_zeroed(sizeof *so);
	int level, error;

	if (!so)
		return BSD_ENOBUFS;
	so->protocol = protocol;
	so->send.least = SEND_LEAST;
	level = splnet();
	error = protocol->usrreq(so, REQUEST_ATTACH, NULL, NULL);
	splx(level);
	if (error)
		xk_free(so);
	else
		*made = so;
	return error;
}

int soreserve(struct socket *so, uint32_t send_bytes, uint32_t receive_bytes)
{
	sbreserve(&so->send, send_bytes);
	sbreserve(&so->receive, receive_bytes);
	return 0;
}

int sobind(struct socket *so, struct in_name *name)
{
	int level = splnet(), error = so->protocol->usrreq(so, REQUEST_BIND, NULL, name);

	splx(level);
	return error;
}

int solisten(struct socket *so, uint32_t backlog)
{
	int level = splnet(), error = so->protocol->usrreq(so, REQUEST_LISTEN, NULL, NULL);

	if (!error) {
		so->options |= SOCKET_ACCEPTS;
		so->backlog = backlog && backlog < BACKLOG_MOST ? backlog : BACKLOG_MOST;
	}
	splx(level);
	return error;
}

int soaccept(struct socket *head, struct socket **taken, int wait)
{
	int level = splnet(), error = 0;
	struct socket *so;

	while (!(so = head->complete) && !error) {
		if (head->error || head->state & SOCKET_CANT_RECEIVE)
			error = head->error ? head->error : BSD_ECONNABORTED;
		else if (!wait)
			error = BSD_EWOULDBLOCK;
		else if (tsleep(&head->state))
			error = BSD_EINTR;
	}
	if (so) {
		soqremque(so);
		so->state &= ~(uint32_t)SOCKET_NO_USER;
		*taken = so;
		error = so->protocol->usrreq(so, REQUEST_ACCEPT, NULL, NULL);
	}
	splx(level);
	return error;
}

int soconnect(struct socket *so, struct in_name *name, int wait)
{
	int level = splnet(), error = 0;

	if (so->options & SOCKET_ACCEPTS)
		error = BSD_EOPNOTSUPP;
	else if (so->state & (SOCKET_CONNECTED | SOCKET_CONNECTING))
		error = BSD_EISCONN;
	if (!error)
		error = so->protocol->usrreq(so, REQUEST_CONNECT, NULL, name);
	while (!error && wait && so->state & SOCKET_CONNECTING && !so->error)
		if (tsleep(&so->state))
			error = BSD_EINTR;
	if (!error && wait) {
		error = so->error;
		so->error = 0;
	}
	splx(level);
	return error;
}

int soshutdown(struct socket *so)
{
	int level = splnet(), error = BSD_ENOTCONN;

	if (so->pcb)
		error = so->protocol->usrreq(so, REQUEST_SHUTDOWN, NULL, NULL);
	splx(level);
	return error;
}

int soabort(struct socket *so)
{
	int level = splnet(), error = 0;

	if (so->pcb)
		error = so->protocol->usrreq(so, REQUEST_ABORT, NULL, NULL);
	splx(level);
	return error;
}

/* Resets the connections that nobody has accepted. */
static void abort_all(struct socket *head)
{
	struct socket *so;

	while ((so = head->incomplete ? head->incomplete : head->complete)) {
		soqremque(so);
		so->protocol->usrreq(so, REQUEST_ABORT, NULL, NULL);
	}
}

int soclose(struct socket *so)
{
	int level = splnet(), error = 0;

	so->upcall = so->options & SOCKET_ACCEPTS ? NULL : so->upcall;
	if (so->options & SOCKET_ACCEPTS)
		abort_all(so);
	if (so->pcb && so->state & SOCKET_CONNECTED && !(so->state & SOCKET_DISCONNECTING))
		error = so->protocol->usrreq(so, REQUEST_DISCONNECT, NULL, NULL);
	else if (so->pcb && !(so->state & SOCKET_DISCONNECTING))
		error = so->protocol->usrreq(so, REQUEST_DETACH, NULL, NULL);
	while (so->options & SOCKET_LINGER && so->state & SOCKET_DISCONNECTING)
		if (tsleep(&so->state))
			break;
	so->state |= SOCKET_NO_USER;
	sofree(so);
	splx(level);
	return error;
}
