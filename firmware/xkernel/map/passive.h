/* SPDX-License-Identifier: BSD-2-Clause */
/* The passive map of a protocol: which protocol above it is enabled for which key. A key is a
 * number or a port as it lies on the wire.
 *
 * The functions are in line, and their parameters are such that each protocol's code is the same as
 * if they were written out there: the images that are measured do not move. */
#pragma once

#include "xkernel/byteorder.h"
#include "xkernel/graph.h"
#include "xkernel/map/map.h"
#include "xkernel/memory/allocate.h"

struct passive_enable {
	struct xobj *receiver, *type;
};

/* Enables `receiver` for `key`. `number`: what the key was made of; below 0, there is no key. */
static inline int passive_bind(struct map *passive, int64_t number, uint64_t key,
			       struct xobj *receiver, struct xobj *type)
{
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

/* Enables `receiver` for a port. */
static inline int passive_bind_port(struct map *passive, const uint16_t *port,
				    struct xobj *receiver, struct xobj *type,
				    void *(*allocate)(size_t bytes))
{
	struct passive_enable *e;
	uint64_t key;

	if (!port || *port == 0)
		return XK_ERROR;
	e = allocate(sizeof *e);
	if (!e)
		return XK_NO_MEMORY;
	e->receiver = receiver;
	e->type = type;
	key = swap16(*port);
	if (map_bind(passive, &key, e)) {
		xk_free(e);
		return XK_ERROR;
	}
	return XK_OK;
}

/* Disables `*receiver` for `*key`. `is_key` 0: there is no key. */
static inline int passive_unbind(struct map *passive, int is_key, const uint64_t *key,
				 struct xobj **receiver)
{
	struct passive_enable *e = is_key ? map_find(passive, key) : NULL;

	if (!e || e->receiver != *receiver)
		return XK_ERROR;
	map_unbind(passive, key);
	xk_free(e);
	return XK_OK;
}

/* The same for the number of `type` in a header that has 32 bits for it. */
static inline __attribute__((always_inline)) int
passive_enable(struct map *passive, struct xobj *self, struct xobj *receiver, struct xobj *type)
{
	int64_t number = graph_number(self, type);

	return passive_bind(passive, number, swap32((uint32_t)number), receiver, type);
}

static inline __attribute__((always_inline)) int
passive_disable(struct map *passive, struct xobj *self, struct xobj *receiver, struct xobj *type)
{
	int64_t number = graph_number(self, type);
	uint64_t key = swap32((uint32_t)number);

	return passive_unbind(passive, number >= 0, &key, &receiver);
}
