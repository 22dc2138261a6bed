/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP: sessions, active and passive opens. */
#include "protocols/udp/udp_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/map/passive.h"

enum { UDP_PROTOCOL = 17 };

struct xobj *udp_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      struct xobj *lower, uint32_t remote, uint32_t ports)
{
	struct udp *udp = self->state;
	struct udp_session *s;
	struct xobj *session;

	if (!idle_make_room(&udp->idle))
		return NULL;
	session = xCreateSession(self, &udp_session_ops, receiver, type, lower, sizeof *s);
	if (!session)
		return NULL;
	s = session->state;
	s->key = udp_key(remote, ports);
	s->ports = ports >> 16 | ports << 16;
	s->pseudo_sum = (uint64_t)remote + udp->address + swap16(UDP_PROTOCOL);
	xUsed(session);
	if (map_bind(&udp->active, &s->key, session)) {
		xDestroy(session);
		return NULL;
	}
	return session;
}

/* By the idle collector, which takes it out of the map. */
void udp_session_destroy(struct xobj *session)
{
	xClose(session->down[0]);
	xDestroy(session);
}

/* Local port as on the wire that is nobody's; 0: none. */
static uint32_t choose_port(struct udp *udp, uint32_t remote, uint32_t remote_port)
{
	for (uint32_t i = UDP_FIRST_PORT; i < 65536; i++) {
		uint64_t port = swap16(udp->next_port);
		uint64_t key = udp_key(remote, remote_port | (uint32_t)port << 16);

		udp->next_port = udp->next_port < 65535 ? udp->next_port + 1 : UDP_FIRST_PORT;
		if (!map_find(&udp->active, &key) && !map_find(&udp->passive, &port))
			return (uint32_t)port;
	}
	return 0;
}

struct xobj *udp_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts)
{
	struct udp *udp = self->state;
	const uint16_t *remote_port = part_pop(&parts[0], sizeof *remote_port);
	const uint16_t *local_port = part_pop(&parts[1], sizeof *local_port);
	struct xobj *lower, *session = NULL;
	uint32_t remote, ports;

	if (!remote_port || *remote_port == 0 || (local_port && *local_port == 0))
		return NULL;
	lower = xOpen(self, self, self->down[0], parts);
	if (!lower)
		return NULL;
	if (xControl(lower, XK_GET_PEER_HOST, &remote, sizeof remote) >= 0) {
		remote = swap32(remote);
		ports = swap16(*remote_port);
		ports |= (local_port ? swap16(*local_port) : choose_port(udp, remote, ports)) << 16;
		if (ports >> 16)
			session = udp_session_make(self, receiver, type, lower, remote, ports);
	}
	if (!session) {
		xClose(lower);
		return NULL;
	}
	return xDuplicate(session);
}

int udp_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type, struct part *parts)
{
	struct udp *udp = self->state;
	const uint16_t *port = part_pop(&parts[1], sizeof *port);

	return passive_bind_port(&udp->passive, port, receiver, type, xk_allocate);
}

int udp_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts)
{
	struct udp *udp = self->state;
	const uint16_t *port = part_pop(&parts[1], sizeof *port);
	uint64_t key = port ? swap16(*port) : 0;

	return passive_unbind(&udp->passive, port != NULL, &key, &receiver);
}
