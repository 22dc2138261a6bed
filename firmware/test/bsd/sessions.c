/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/bsd/sessions.h"

#include "test/bsd/connection.h"

#include "bsd/error.h"
#include "bsd/net/arp.h"
#include "bsd/net/interface.h"
#include "protocols/tcp/tcp.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/allocate.h"

struct listener {
	struct listener *next;
	struct xobj *self, *receiver, *type;
	struct socket *so;
	struct thread thread;
	int queued;
	uint16_t port;
};

static struct listener *listeners;

/* A connection is there: the user is told, and may keep it. */
static void accept_one(const struct listener *l, struct socket *so)
{
	struct xobj *x = session_make(l->self, l->receiver, l->type, so);
	int result;

	if (!x) {
		soabort(so);
		soclose(so);
		return;
	}
	xDuplicate(x);
	result = xOpenDone(l->receiver, x, l->self);
	if (result < 0)
		soabort(so);
	session_news(mirror_session(x->state));
	xClose(x);
}

static void accept_all(void *arg)
{
	struct listener *l = arg;
	struct socket *so;

	l->queued = 0;
	while (l->so && soaccept(l->so, &so, 0) == 0)
		accept_one(l, so);
	if (!l->so && !l->queued)
		xk_free(l);
}

static void upcall(struct socket *so, void *arg)
{
	struct listener *l = arg;

	(void)so;
	if (l->queued)
		return;
	l->queued = 1;
	thread_ready(&l->thread, accept_all, l);
}

/* A socket that listens on the port; NULL: no memory, or the port is taken. */
static struct socket *listen_on(uint16_t port)
{
	struct in_name name = { 0, (uint16_t)swap16(port) };
	struct socket *so;

	if (socreate(&so, &tcp_protocol))
		return NULL;
	if (sobind(so, &name) == 0 && solisten(so, 0) == 0)
		return so;
	soclose(so);
	return NULL;
}

static int open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		       struct part *parts)
{
	const uint16_t *port = part_pop(&parts[1], sizeof *port);
	struct listener *l = port ? xk_allocate_zeroed(sizeof *l) : NULL;

	if (!l)
		return XK_ERROR;
	*l = (struct listener){ listeners, self, receiver, type, .port = *port };
	l->so = listen_on(*port);
	if (!l->so) {
		xk_free(l);
		return XK_ERROR;
	}
	l->so->upcall_arg = l;
	l->so->upcall = upcall;
	listeners = l;
	return XK_OK;
}

static int open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
			struct part *parts)
{
	const uint16_t *port = part_pop(&parts[1], sizeof *port);
	struct listener **link = &listeners, *l;

	while ((l = *link) && (!port || l->port != *port))
		link = &l->next;
	if (!l)
		return XK_ERROR;
	*link = l->next;
	soclose(l->so);
	l->so = NULL;
	if (!l->queued)
		xk_free(l);
	return XK_OK;
}

static struct xobj *open(struct xobj *self, struct xobj *receiver, struct xobj *type,
			 struct part *parts)
{
	const uint16_t *port = part_pop(&parts[0], sizeof *port);
	const uint16_t *own = part_pop(&parts[1], sizeof *own);
	const uint32_t *host = part_pop(&parts[0], sizeof *host);
	struct in_name name, here = { 0, (uint16_t)(own ? swap16(*own) : 0) };
	struct socket *so;
	struct xobj *x = NULL;

	if (!port || !host || socreate(&so, &tcp_protocol))
		return NULL;
	name = (struct in_name){ swap32(*host), (uint16_t)swap16(*port) };
	if ((own && sobind(so, &here)) || soconnect(so, &name, 1) ||
	    !(x = session_make(self, receiver, type, so))) {
		soclose(so);
		return NULL;
	}
	xDuplicate(x);
	session_news(mirror_session(x->state));
	return x;
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = open,
	.open_enable = open_enable,
	.open_disable = open_disable,
};

/* The stations of the peers that tests play (peer.c), which the x-kernel would learn of by ARP. */
static void know_peers(void)
{
	uint8_t station[STATION_BYTES] = { 8, 0, 0x2b, 0, 0, 0 };

	for (uint32_t n = 2; n < 255; n++) {
		station[STATION_BYTES - 1] = (uint8_t)n;
		arp_set(interface_addresses->net | n << 24, station);
	}
}

int tcp_init(struct xobj *self)
{
	know_peers();
	self->ops = &protocol_ops;
	self->state = mirror_protocol();
	return XK_OK;
}
