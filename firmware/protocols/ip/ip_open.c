/* SPDX-License-Identifier: BSD-2-Clause */
/* IP: sessions, active and passive opens. */
#include "protocols/ip/ip_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/map/passive.h"

struct xobj *ip_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			     struct xobj *lower, uint32_t remote, uint32_t local, uint32_t protocol)
{
	struct ip *ip = self->state;
	struct xobj *session;
	struct ip_session *s;
	uint32_t mtu;

	if (!idle_make_room(&ip->idle) || xControl(lower, XK_GET_MAX_PACKET, &mtu, sizeof mtu) < 0)
		return NULL;
	session = xCreateSession(self, &ip_session_ops, receiver, type, lower, sizeof *s);
	if (!session)
		return NULL;
	s = session->state;
	s->mtu = mtu;
	s->header.version_length = 0x45;
	s->header.ttl_protocol = IP_TTL | protocol << 8;
	s->header.source = local;
	s->header.destination = remote;
	s->sum = checksum_add(0, &s->header, sizeof s->header);
	ip_key(s->key, remote, local, protocol);
	xUsed(session);
	if (map_bind(&ip->active, s->key, session)) {
		xDestroy(session);
		return NULL;
	}
	return session;
}

void ip_session_destroy(struct xobj *session)
{
	xClose(session->down[0]);
	xDestroy(session);
}

struct xobj *ip_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts)
{
	struct ip *ip = self->state;
	const uint32_t *remote = part_pop(&parts[0], sizeof *remote);
	const uint32_t *local = part_pop(&parts[1], sizeof *local);
	int64_t protocol = graph_number(self, type);
	struct xobj *session, *lower;
	struct part below[2];
	uint64_t key[2];

	if (!remote || protocol < 0 || (local && swap32(*local) != ip->address))
		return NULL;
	ip_key(key, swap32(*remote), ip->address, (uint32_t)protocol);
	session = map_find(&ip->active, key);
	if (session)
		return xDuplicate(session);
	parts_init(below);
	part_push(&below[0], remote, sizeof *remote);
	lower = xOpen(self, self, self->down[0], below);
	if (!lower)
		return NULL;
	/* Opening below may have switched threads: someone else may have been first. */
	session = map_find(&ip->active, key);
	if (session) {
		xClose(lower);
		return xDuplicate(session);
	}
	session = ip_session_make(self, receiver, type, lower, swap32(*remote), ip->address,
				  (uint32_t)protocol);
	if (!session) {
		xClose(lower);
		return NULL;
	}
	return xDuplicate(session);
}

int ip_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type, struct part *parts)
{
	struct ip *ip = self->state;
	int64_t protocol = graph_number(self, type);

	return passive_bind(&ip->passive, protocol, (uint64_t)protocol, receiver, type);
}

int ip_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type, struct part *parts)
{
	struct ip *ip = self->state;
	int64_t protocol = graph_number(self, type);
	uint64_t key = (uint64_t)protocol;

	return passive_unbind(&ip->passive, protocol >= 0, &key, &receiver);
}
