/* SPDX-License-Identifier: BSD-2-Clause */
/* The passive map of a protocol that knows those above it by a 32-bit number in its header: who is
 * enabled for which number. Keys are numbers as they lie on the wire. */
#pragma once

#include "xkernel/allocate.h"
#include "xkernel/byteorder.h"
#include "xkernel/graph.h"
#include "xkernel/map.h"

struct passive_enable {
	struct xobj *receiver, *type;
};

static inline int passive_enable(struct map *passive, struct xobj *self, struct xobj *receiver,
				 struct xobj *type)
{
	int64_t number = graph_number(self, type);
	uint64_t key = swap32((uint32_t)number);
	struct passive_enable *e;

	if (number < 0)
		return XK_ERROR;
	e = xk_allocate_zeroed(sizeof *e);
	if (!e)
		return XK_NO_MEMORY;
	e->receiver = receiver;
	e->type = type;
	if (map_bind(passive, &key, e)) {
		xk_free(e);
		return XK_ERROR;
	}
	return XK_OK;
}

static inline int passive_disable(struct map *passive, struct xobj *self, struct xobj *receiver,
				  struct xobj *type)
{
	int64_t number = graph_number(self, type);
	uint64_t key = swap32((uint32_t)number);
	struct passive_enable *e = number < 0 ? NULL : map_find(passive, &key);

	if (!e || e->receiver != receiver)
		return XK_ERROR;
	map_unbind(passive, &key);
	xk_free(e);
	return XK_OK;
}
