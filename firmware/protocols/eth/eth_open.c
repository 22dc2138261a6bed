/* SPDX-License-Identifier: BSD-2-Clause */
/* ETH: sessions, active and passive opens. */
#include "protocols/eth/eth_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/map/passive.h"

uint64_t eth_load_mac(const uint8_t *bytes)
{
	uint64_t mac = 0;

	for (int i = ETH_MAC_BYTES; i-- > 0;)
		mac = mac << 8 | bytes[i];
	return mac;
}

struct xobj *eth_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      uint64_t remote, uint32_t wire_type)
{
	struct eth *eth = self->state;
	uint64_t key = remote | (uint64_t)wire_type << 48;
	struct xobj *session = map_find(&eth->active, &key);
	struct eth_session *s;

	if (session)
		return session;
	if (!idle_make_room(&eth->idle))
		return NULL;
	session = xCreateSession(self, &eth_session_ops, receiver, type, eth->driver, sizeof *s);
	if (!session)
		return NULL;
	s = session->state;
	s->key = key;
	s->remote = remote;
	s->half = (uint32_t)(remote & 0xffff);
	s->word[0] = (uint32_t)(remote >> 16);
	s->word[1] = (uint32_t)eth->mac;
	s->word[2] = (uint32_t)(eth->mac >> 32) | wire_type << 16;
	xUsed(session);
	if (map_bind(&eth->active, &key, session)) {
		xDestroy(session);
		return NULL;
	}
	return session;
}

/* By the idle collector, which takes it out of the map. Nobody refers to it. */
void eth_session_destroy(struct xobj *session)
{
	xDestroy(session);
}

/* The type field as it lies on the wire, or -1. */
static int64_t wire_type_of(struct xobj *self, struct xobj *type)
{
	int64_t number = graph_number(self, type);

	return number < 0 ? -1 : (int64_t)swap16((uint32_t)number);
}

struct xobj *eth_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts)
{
	struct eth *eth = self->state;
	const uint8_t *remote = part_pop(parts, ETH_MAC_BYTES);
	int64_t wire_type = wire_type_of(self, type);
	struct xobj *session;

	/* A session with ourselves would have to turn messages round; there is none yet. */
	if (!remote || wire_type < 0 || eth_load_mac(remote) == eth->mac)
		return NULL;
	session = eth_session_make(self, receiver, type, eth_load_mac(remote), (uint32_t)wire_type);
	return session ? xDuplicate(session) : NULL;
}

int eth_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type, struct part *parts)
{
	struct eth *eth = self->state;
	int64_t wire_type = wire_type_of(self, type);

	return passive_bind(&eth->passive, wire_type, (uint64_t)wire_type, receiver, type);
}

int eth_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts)
{
	struct eth *eth = self->state;
	int64_t wire_type = wire_type_of(self, type);
	uint64_t key = (uint64_t)wire_type;

	return passive_unbind(&eth->passive, wire_type >= 0, &key, &receiver);
}
