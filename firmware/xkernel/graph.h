/* SPDX-License-Identifier: BSD-2-Clause */
/* Protocol graphs: tables that tools/mcpi/firmware/protocol_graph.py makes of the files in
 * firmware/graphs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "xkernel/upi.h"

struct graph_node {
	const char *name;
	int (*init)(struct xobj *self);
	struct xobj *object;
	struct xobj *down[XOBJ_DOWN];
};

struct graph {
	const char *name;
	const struct graph_node *nodes; /* lower protocols first */
	size_t count;
};

struct graph_number { /* `upper`'s number in `lower`'s header */
	const char *lower, *upper;
	uint32_t number;
};

extern const struct graph graph_table[];
extern const size_t graph_count;
extern const struct graph_number graph_numbers[];
extern const size_t graph_numbers_count;

/* Initialises the protocols bottom-up. 0, or below 0 with *failed the one that could not. */
int graph_start(const struct graph *g, const char **failed);
const struct graph *graph_find(const char *name); /* NULL: not composed in */

/* -1: `upper` has no number above `lower`. */
int64_t graph_number(const struct xobj *lower, const struct xobj *upper);
