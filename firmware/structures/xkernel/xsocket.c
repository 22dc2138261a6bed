/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets made, bound, closed; and the way down. */
#include "kernel/call.h"
#include "kernel/sleep.h"
#include "structures/xkernel/xsocket_private.h"

struct xobj *xsocket_protocol;

int xsocket_init(struct xobj *self)
{
	xsocket_protocol = self;
	return XK_OK;
}

int xsocket_socket(struct process *p)
{
	for (int n = 0; n < XSOCKETS; n++) {
		struct xsocket *s = &xsockets[n];

		if (s->owner)
			continue;
		s->owner = p->space;
		s->port = 0;
		s->bytes = 0;
		s->count = 0;
		s->last = NULL;
		s->limit = XSOCKET_BYTES;
		s->receiver = (struct xobj){
			.ops = &xsocket_ops,
			.state = s,
			.protocol = xsocket_protocol,
			.name = xsocket_protocol->name,
		};
		return n;
	}
	return ERROR_NO_MEMORY;
}

static void local_part(struct part parts[2], const uint16_t *port)
{
	part_init(&parts[0]);
	part_init(&parts[1]);
	part_push(&parts[1], port, sizeof *port);
}

int xsocket_bind(struct process *p, int number, uint32_t port)
{
	struct xsocket *s = xsocket_of(p, number);
	uint16_t wanted = (uint16_t)port;
	struct part parts[2];

	if (!s || s->port || !port || port > 65535)
		return ERROR_BAD_NUMBER;
	local_part(parts, &wanted);
	if (xOpenEnable(&s->receiver, xsocket_protocol, xsocket_protocol->down[0], parts) < 0)
		return ERROR_IN_USE;
	s->port = wanted;
	return (int)port;
}

int xsocket_limits(struct process *p, int number, uint32_t bytes, uint32_t mbuf_bytes)
{
	struct xsocket *s = xsocket_of(p, number);

	(void)mbuf_bytes; /* there are no mbufs */
	if (!s)
		return ERROR_BAD_NUMBER;
	if (bytes < s->bytes)
		return ERROR_IN_USE;
	s->limit = bytes;
	return 0;
}

/* A session to `to`, with a reference: the one of the datagram read last, or a new one. */
static struct xobj *session_to(struct xsocket *s, const struct socket_name *to)
{
	uint16_t port = (uint16_t)to->port;
	struct part parts[2];

	if (s->last) {
		struct socket_name name = xsocket_peer(s->last);

		if (name.host == to->host && name.port == to->port)
			return xDuplicate(s->last);
	}
	local_part(parts, &s->port);
	if (!s->port)
		part_init(&parts[1]);
	part_push(&parts[0], &to->host, sizeof to->host);
	part_push(&parts[0], &port, sizeof port);
	return xOpen(&s->receiver, xsocket_protocol, xsocket_protocol->down[0], parts);
}

int xsocket_send(struct process *p, int number, const void *data, uint32_t bytes,
		 const struct socket_name *to)
{
	struct xsocket *s = xsocket_of(p, number);
	struct xobj *session;
	struct msg m;
	int result;

	if (!s)
		return ERROR_BAD_NUMBER;
	if (msg_init_copy(&m, data, bytes)) {
		xsocket_counts.no_memory++;
		return ERROR_NO_MEMORY;
	}
	session = session_to(s, to);
	result = session ? xPush(session, &m) : XK_ERROR;
	msg_destroy(&m);
	if (session)
		xClose(session);
	return result < 0 ? ERROR_NOT_SENT : (int)bytes;
}

static void discard(struct xsocket *s)
{
	while (s->count) {
		struct waiting *w = &s->waiting[s->first];

		msg_destroy(&w->msg);
		xClose(w->session);
		s->first = (s->first + 1) % XSOCKET_WAITING;
		s->count--;
		xsocket_counts.discarded++;
	}
	s->bytes = 0;
}

int xsocket_close(struct process *p, int number)
{
	struct xsocket *s = xsocket_of(p, number);
	struct part parts[2];

	if (!s)
		return ERROR_BAD_NUMBER;
	local_part(parts, &s->port);
	if (s->port)
		xOpenDisable(&s->receiver, xsocket_protocol, xsocket_protocol->down[0], parts);
	discard(s);
	if (s->last)
		xClose(s->last);
	s->last = NULL;
	s->owner = NULL;
	wakeup(s);
	return 0;
}

void xsocket_ended(struct process *p)
{
	for (int number = 0; number < XSOCKETS; number++)
		xsocket_close(p, number);
}
