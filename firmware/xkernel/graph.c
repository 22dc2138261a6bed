/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/graph.h"

static int same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

const struct graph *graph_find(const char *name)
{
	for (size_t i = 0; i < graph_count; i++)
		if (same(graph_table[i].name, name))
			return &graph_table[i];
	return NULL;
}

int graph_start(const struct graph *g, const char **failed)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct graph_node *n = &g->nodes[i];
		int result;

		n->object->ops = &xobj_ops_default;
		n->object->name = n->name;
		n->object->protocol = n->object;
		for (size_t d = 0; d < XOBJ_DOWN; d++)
			n->object->down[d] = n->down[d];
		result = n->init(n->object);
		if (result < 0) {
			*failed = n->name;
			return result;
		}
	}
	return XK_OK;
}

int64_t graph_number(const struct xobj *lower, const struct xobj *upper)
{
	for (size_t i = 0; i < graph_numbers_count; i++)
		if (same(graph_numbers[i].lower, lower->name) &&
		    same(graph_numbers[i].upper, upper->name))
			return graph_numbers[i].number;
	return -1;
}
