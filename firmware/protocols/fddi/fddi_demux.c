/* SPDX-License-Identifier: BSD-2-Clause */
/* FDDI: the way up. */
#include "protocols/fddi/fddi_private.h"
#include "xkernel/map/passive.h"

/* A frame from a station, or of a type, seen for the first time. */
static struct xobj *passive_open(struct xobj *self, uint64_t station, uint64_t wire_type)
{
	struct fddi *fddi = self->state;
	struct passive_enable *enable = map_resolve(&fddi->passive, &wire_type, 1);
	struct xobj *session;

	if (!enable) {
		COUNT(fddi_counts, unknown_type);
		return NULL;
	}
	session = fddi_session_make(self, enable->receiver, enable->type, station, wire_type);
	if (!session || xOpenDone(enable->receiver, session, self) < 0) {
		COUNT(fddi_counts, no_memory);
		return NULL;
	}
	return session;
}

int fddi_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct fddi *fddi = self->state;
	const uint8_t *header;
	uint64_t second, third, station, key;
	struct xobj *session;

	if (PREDICT_FALSE(msg_bytes(m) < FDDI_HEADER_BYTES)) {
		COUNT(fddi_counts, runt);
		return XK_ERROR;
	}
	header = msg_pop(m, FDDI_HEADER_BYTES);
	if (PREDICT_FALSE(!header)) {
		COUNT(fddi_counts, no_memory);
		return XK_ERROR;
	}
	if (PREDICT_FALSE(((uintptr_t)header & 15) != FDDI_FRAME_AT)) {
		COUNT(fddi_counts, misaligned);
		return XK_ERROR;
	}
	second = *(const fddi_quad *)(header + 5);
	third = *(const fddi_quad *)(header + 13);
	station = *(const fddi_word *)(header + 1) | (second & 0xffff) << 32;
	if (PREDICT_FALSE(station != fddi->station)) {
		COUNT(fddi_counts, not_ours);
		return XK_ERROR;
	}
	if (PREDICT_FALSE(header[0] != FDDI_CONTROL || (third & FDDI_STATION_MASK) != FDDI_SNAP)) {
		COUNT(fddi_counts, not_llc);
		return XK_ERROR;
	}
	COUNT(fddi_counts, received);
	key = second >> 16 | (third & ~FDDI_STATION_MASK);
	session = map_resolve(&fddi->active, &key, 1);
	if (PREDICT_FALSE(!session)) {
		session = passive_open(self, second >> 16, third >> 48);
		if (!session)
			return XK_ERROR;
	}
	return xPop(session, lower, m, NULL);
}

int fddi_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	xUsed(session);
	m->attribute = NULL;
	return xDemux(session, m);
}
