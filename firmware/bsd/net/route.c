/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/net/route.h"

#include "xkernel/memory/allocate.h"

static struct route_entry *entries;

void route_start(void)
{
	entries = NULL;
}

int route_add(uint32_t net, uint32_t netmask, uint32_t gateway, struct interface *i)
{
	struct route_entry *e = xk_allocate_zeroed(sizeof *e);

	if (!e)
		return -1;
	*e = (struct route_entry){ entries, net, netmask, gateway, 1, 0, 1, i };
	entries = e;
	return 0;
}

void route_find(struct route *r)
{
	struct route_entry *e = entries, *best = NULL;

	for (; e; e = e->next)
		if (e->up && (r->host & e->netmask) == e->net &&
		    (!best || (e->netmask & ~best->netmask)))
			best = e;
	if (best)
		best->references++;
	r->entry = best;
}

void route_free(struct route *r)
{
	r->entry->references--;
	r->entry = NULL;
}
