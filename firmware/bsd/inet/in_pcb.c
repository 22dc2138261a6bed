/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/inet/in_pcb.h"

#include "bsd/error.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/switches.h"

int in_pcballoc(struct socket *so, struct in_pcbs *list)
{
	struct inpcb *p = xk_allocate_zeroed(sizeof *p);

	if (!p)
		return BSD_ENOBUFS;
	p->list = list;
	p->socket = so;
	p->next = list->first;
	p->link = &list->first;
	if (p->next)
		p->next->link = &p->next;
	list->first = p;
	so->pcb = p;
	return 0;
}

struct inpcb *in_pcblookup(const struct in_pcbs *list, uint32_t foreign, uint32_t foreign_port,
			   uint32_t local, uint32_t local_port, int wildcard)
{
	struct inpcb *p, *best = NULL;
	int fewest = 3;

	for (p = list->first; p; p = p->next) {
		int wild = 0;

		if (p->local_port != local_port)
			continue;
		if (!p->local_host)
			wild += local != 0;
		else if (p->local_host != local)
			continue;
		if (!p->foreign_host)
			wild += foreign != 0;
		else if (p->foreign_host != foreign || p->foreign_port != foreign_port)
			continue;
		if (wild && !wildcard)
			continue;
		if (wild < fewest) {
			best = p;
			fewest = wild;
			if (!wild)
				break;
		}
	}
	return best;
}

/* Is the name free for a connection with `foreign`, or for any? */
static int is_taken(const struct inpcb *p, uint32_t port, const struct in_name *foreign)
{
	if (foreign)
		return in_pcblookup(p->list, foreign->host, foreign->port,
				    interface_addresses->address, port, 0) != NULL;
	return in_pcblookup(p->list, 0, 0, 0, port, 1) != NULL;
}

/* The port as on the wire; 0: none is free. */
static uint32_t free_port(struct inpcb *p, const struct in_name *foreign)
{
	for (int tries = FIRST_FREE_PORT; tries <= LAST_PORT; tries++) {
		uint32_t port = swap16(p->list->next_port);

		p->list->next_port =
		    p->list->next_port < LAST_PORT ? p->list->next_port + 1 : FIRST_FREE_PORT;
		if (!is_taken(p, port, foreign))
			return port;
	}
	return 0;
}

int in_pcbbind(struct inpcb *p, const struct in_name *name)
{
	uint32_t port = name->port;

	if (p->local_port)
		return BSD_EINVAL;
	if (port && in_pcblookup(p->list, 0, 0, 0, port, 0))
		return BSD_EADDRINUSE;
	if (!port)
		port = free_port(p, NULL);
	if (!port)
		return BSD_EADDRNOTAVAIL;
	p->local_port = (uint16_t)port;
	return 0;
}

int in_pcbconnect(struct inpcb *p, const struct in_name *name)
{
	uint32_t port = p->local_port ? p->local_port : free_port(p, name);

	if (!name->port || is_broadcast(name->host) || !name->host)
		return BSD_EADDRNOTAVAIL;
	if (!port)
		return BSD_EADDRNOTAVAIL;
	if (in_pcblookup(p->list, name->host, name->port, interface_addresses->address, port, 0))
		return BSD_EADDRINUSE;
	p->local_port = (uint16_t)port;
	p->local_host = interface_addresses->address;
	p->foreign_host = name->host;
	p->foreign_port = name->port;
	return 0;
}

void in_pcbdetach(struct inpcb *p)
{
	struct socket *so = p->socket;

	so->pcb = NULL;
	sofree(so);
	if (p->route.entry)
		route_free(&p->route);
	*p->link = p->next;
	if (p->next)
		p->next->link = p->link;
	xk_free(p);
}
