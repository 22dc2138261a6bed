/* SPDX-License-Identifier: BSD-2-Clause */
/* From UDP to the queue, and from the queue to the reader. */
#include "kernel/call.h"
#include "kernel/sleep.h"
#include "structures/probe.h"
#include "structures/xkernel/xsocket_private.h"

struct xsocket_counts xsocket_counts;
struct xsocket xsockets[XSOCKETS];

static int demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	struct xsocket *s = self->state;
	uint32_t bytes = (uint32_t)msg_bytes(m);
	struct waiting *w;
	uint32_t port = 0;

	xsocket_counts.received++;
	/* A session outlives its socket, until it has been idle. */
	xControl(session, UDP_GET_MY_PORT, &port, sizeof port);
	if (!s->owner || s->port != port) {
		xsocket_counts.discarded++;
		return XK_OK;
	}
	if (s->count == XSOCKET_WAITING || s->limit - s->bytes < bytes) {
		xsocket_counts.full++;
		return XK_OK;
	}
	w = &s->waiting[(s->first + s->count++) % XSOCKET_WAITING];
	s->bytes += bytes;
	msg_share(&w->msg, m);
	w->session = xDuplicate(session);
	wakeup(s);
	return XK_OK;
}

const struct xobj_ops xsocket_ops = { XOBJ_DEFAULTS, .demux = demux };

struct xsocket *xsocket_of(const struct process *p, int number)
{
	if (number < 0 || number >= XSOCKETS || xsockets[number].owner != p->space)
		return NULL;
	return &xsockets[number];
}

static int probe(const uint8_t *piece, size_t bytes, void *arg)
{
	(void)arg;
	probe_load(piece, (uint32_t)bytes);
	return 0;
}

int xsocket_receive(struct process *p, int number, void *buffer, uint32_t bytes,
		    struct socket_name *from, int wait)
{
	struct xsocket *s = xsocket_of(p, number);
	struct waiting *w;
	uint32_t all;

	while (s && !s->count) {
		if (!wait)
			return ERROR_WOULD_WAIT;
		if (sleep_on(s))
			return ERROR_ENDED;
		s = xsocket_of(p, number);
	}
	if (!s)
		return ERROR_BAD_NUMBER;
	w = &s->waiting[s->first];
	all = (uint32_t)msg_bytes(&w->msg);
	xsocket_counts.truncated += all > bytes;
	msg_truncate(&w->msg, bytes < all ? bytes : all);
	if (PROBE)
		msg_for_each(&w->msg, probe, NULL);
	msg_copy_out(&w->msg, buffer);
	if (from)
		*from = xsocket_peer(w->session);
	msg_destroy(&w->msg);
	if (s->last)
		xClose(s->last);
	s->last = w->session;
	s->first = (s->first + 1) % XSOCKET_WAITING;
	s->count--;
	s->bytes -= all;
	xsocket_counts.read++;
	return (int)(bytes < all ? bytes : all);
}
