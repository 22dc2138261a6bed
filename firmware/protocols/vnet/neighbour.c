/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/vnet/vnet.h"

enum { NEIGHBOURS = 16 };

static struct neighbour {
	uint64_t mac;
	uint32_t host;
} table[NEIGHBOURS];
static int neighbours;

uint64_t neighbour_find(uint32_t host)
{
	for (int i = 0; i < neighbours; i++)
		if (table[i].host == host)
			return table[i].mac;
	return 0;
}

int neighbour_add(uint32_t host, uint64_t mac)
{
	if (neighbours == NEIGHBOURS)
		return -1;
	table[neighbours++] = (struct neighbour){ mac, host };
	return 0;
}
