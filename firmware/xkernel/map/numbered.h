/* SPDX-License-Identifier: BSD-2-Clause */
/* Active and passive open of a protocol whose header has 32 bits for the number of the protocol
 * above. A session is found by a session below and such a number, as it lies on the wire.
 *
 * `make` makes a session; if it succeeds, it takes over the reference to `lower`; refs 0. The
 * functions are in line for the reason that passive.h gives. The passive open counts by calls: the
 * compiler then knows that a count is no field of a session, as in code that is written out. */
#pragma once

#include "xkernel/map/passive.h"

typedef void numbered_count(void);
typedef struct xobj *numbered_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
				   struct xobj *lower, uint32_t upper);

static inline void numbered_key(uint64_t key[2], const struct xobj *lower, uint32_t upper)
{
	key[0] = (uint64_t)(uintptr_t)lower;
	key[1] = upper;
}

/* `no_memory` counts that no session can be made; NULL: nothing does. */
static inline struct xobj *numbered_open(struct xobj *self, struct xobj *receiver,
					 struct xobj *type, struct part *parts, struct map *active,
					 numbered_make *make, uint64_t *no_memory)
{
	int64_t upper = graph_number(self, type);
	struct xobj *lower, *session;
	uint64_t key[2];

	if (upper < 0)
		return NULL;
	lower = xOpen(self, self, self->down[0], parts);
	if (!lower)
		return NULL;
	numbered_key(key, lower, swap32((uint32_t)upper));
	session = map_find(active, key);
	if (session) {
		xClose(lower);
		return xDuplicate(session);
	}
	session = make(self, receiver, type, lower, swap32((uint32_t)upper));
	if (!session) {
		if (no_memory)
			(*no_memory)++;
		xClose(lower);
		return NULL;
	}
	return xDuplicate(session);
}

/* The session of the first message from below that is for `upper`. */
static inline struct xobj *numbered_passive_open(struct xobj *self, struct xobj *lower,
						 uint32_t upper, struct map *passive,
						 numbered_make *make,
						 numbered_count *unknown_protocol,
						 numbered_count *no_memory)
{
	uint64_t key = upper;
	struct passive_enable *enable = map_resolve(passive, &key, 1);
	struct xobj *session;

	if (!enable) {
		unknown_protocol();
		return NULL;
	}
	session = make(self, enable->receiver, enable->type, xDuplicate(lower), upper);
	if (!session) {
		no_memory();
		xClose(lower);
		return NULL;
	}
	if (xOpenDone(enable->receiver, session, self) < 0)
		return NULL;
	return session;
}
