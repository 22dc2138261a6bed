/* SPDX-License-Identifier: BSD-2-Clause */
/* FDDI: sessions, active and passive opens. A session lives as long as the machine. */
#include "platform/platform.h"
#include "protocols/fddi/fddi_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/map/passive.h"

struct xobj *fddi_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			       uint64_t station, uint64_t wire_type)
{
	struct fddi *fddi = self->state;
	uint64_t key = station | wire_type << 48, second, third;
	struct xobj *session = map_find(&fddi->active, &key);
	struct fddi_session *s;

	if (session)
		return session;
	session = xCreateSession(self, &fddi_session_ops, receiver, type, fddi->driver, sizeof *s);
	if (!session)
		return NULL;
	s = session->state;
	second = station >> 32 | fddi->station << 16;
	third = FDDI_SNAP | wire_type << 48;
	s->word[0] = (uint32_t)station;
	s->word[1] = (uint32_t)second;
	s->word[2] = (uint32_t)(second >> 32);
	s->word[3] = (uint32_t)third;
	s->word[4] = (uint32_t)(third >> 32);
	if (map_bind(&fddi->active, &key, session)) {
		/* Memory ran out, or another processor was first. */
		xDestroy(session);
		return map_find(&fddi->active, &key);
	}
	return session;
}

/* The type field as it lies on the wire, or -1. */
static int64_t wire_type_of(struct xobj *self, struct xobj *type)
{
	int64_t number = graph_number(self, type);

	return number < 0 ? -1 : (int64_t)swap16((uint32_t)number);
}

struct xobj *fddi_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		       struct part *parts)
{
	const uint32_t *host = part_pop(parts, sizeof *host);
	int64_t wire_type = wire_type_of(self, type);
	struct xobj *session;

	if (!host || *host != plat_boot()->peer_ip || wire_type < 0)
		return NULL;
	session =
	    fddi_session_make(self, receiver, type, plat_boot()->peer_mac, (uint64_t)wire_type);
	return session ? xDuplicate(session) : NULL;
}

int fddi_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts)
{
	struct fddi *fddi = self->state;
	int64_t wire_type = wire_type_of(self, type);

	return passive_bind(&fddi->passive, wire_type, (uint64_t)wire_type, receiver, type);
}
