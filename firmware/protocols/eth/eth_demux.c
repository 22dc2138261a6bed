/* SPDX-License-Identifier: BSD-2-Clause */
/* ETH: the way up. */
#include "protocols/eth/eth_private.h"
#include "xkernel/map/passive.h"

static const uint64_t BROADCAST = 0xffffffffffff;

static uint64_t destination(const uint8_t *header)
{
	return *(const eth_half *)header | (uint64_t) * (const eth_word *)(header + 2) << 16;
}

/* A frame from a station, or of a type, seen for the first time. */
static struct xobj *passive_open(struct xobj *self, uint64_t source_type)
{
	struct eth *eth = self->state;
	uint64_t type = source_type >> 48, source = source_type & BROADCAST;
	struct passive_enable *enable = map_resolve(&eth->passive, &type, 1);
	struct xobj *session;

	if (!enable) {
		eth_counts.unknown_type++;
		return NULL;
	}
	if (source == eth->mac || (source & 1)) {
		eth_counts.from_ourselves++;
		return NULL;
	}
	session = eth_session_make(self, enable->receiver, enable->type, source, (uint32_t)type);
	if (!session) {
		eth_counts.no_memory++;
		return NULL;
	}
	if (xOpenDone(enable->receiver, session, self) < 0) {
		eth_counts.no_memory++;
		return NULL;
	}
	return session;
}

int eth_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct eth *eth = self->state;
	uint8_t *header;
	uint64_t source_type, to;
	struct xobj *session;

	if (PREDICT_FALSE(msg_bytes(m) < ETH_HEADER_BYTES)) {
		eth_counts.runt++;
		return XK_ERROR;
	}
	header = msg_pop(m, ETH_HEADER_BYTES);
	if (PREDICT_FALSE(!header)) {
		eth_counts.no_memory++;
		return XK_ERROR;
	}
	if (PREDICT_FALSE(((uintptr_t)header & 7) != 2)) {
		eth_counts.misaligned++;
		return XK_ERROR;
	}
	to = destination(header);
	if (PREDICT_FALSE(to != eth->mac && to != BROADCAST)) {
		eth_counts.not_ours++;
		return XK_ERROR;
	}
	source_type = *(const eth_quad *)(header + ETH_SOURCE_OFFSET);
	session = map_resolve(&eth->active, &source_type, 1);
	if (PREDICT_FALSE(!session)) {
		session = passive_open(self, source_type);
		if (!session)
			return XK_ERROR;
	}
	return xPop(session, lower, m, header);
}

int eth_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	xUsed(session);
	m->attribute = header;
	return xDemux(session, m);
}
