/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/fddi/fddi.h"
#include "xkernel/map/map.h"

/* In a received frame the header is a byte, a longword and two quadwords, all aligned:
 *	11 control | 12 destination 0-3 | 16 destination 4-5, source | 24 LLC, SNAP, type
 * On the way down IP's header is on 4 alone, so the header is a byte and five longwords. */
typedef uint32_t __attribute__((may_alias)) fddi_word;
typedef uint64_t __attribute__((may_alias)) fddi_quad;

/* AA AA 03 00 00 00 as bytes, below the type. */
#define FDDI_SNAP 0x03aaaaull
#define FDDI_STATION_MASK 0xffffffffffffull

struct fddi {
	struct xobj *driver;
	struct map active;  /* {station, type as on the wire} -> session */
	struct map passive; /* type as on the wire -> struct passive_enable */
	uint64_t station;   /* ours, first wire byte lowest */
};

/* Session: the header that it pushes, without the control byte. */
struct fddi_session {
	uint32_t word[5];
};

extern const struct xobj_ops fddi_session_ops;

/* The session for {station, type}, made if need be, up = receiver; refs not counted. */
struct xobj *fddi_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			       uint64_t station, uint64_t wire_type);
struct xobj *fddi_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		       struct part *parts);
int fddi_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts);
int fddi_demux(struct xobj *self, struct xobj *lower, struct msg *m);
int fddi_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header);
int fddi_push(struct xobj *session, struct msg *m);
