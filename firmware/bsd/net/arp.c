/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/net/arp.h"

#include "xkernel/memory/memory.h"

enum { BUCKETS = 19, BUCKET_ENTRIES = 16, STATION = 6 };

static struct entry {
	uint32_t host; /* 0: free */
	uint8_t station[STATION];
} table[BUCKETS][BUCKET_ENTRIES];

void arp_start(void)
{
	memset(table, 0, sizeof table);
}

/* The last byte on the wire differs among hosts of a net. */
static struct entry *bucket_of(uint32_t host)
{
	uint32_t number = host >> 24;

	while (number >= BUCKETS)
		number -= BUCKETS;
	return table[number];
}

const uint8_t *arp_resolve(uint32_t host)
{
	struct entry *e = bucket_of(host);

	for (int i = 0; i < BUCKET_ENTRIES; i++, e++)
		if (e->host == host)
			return e->station;
	return NULL;
}

int arp_set(uint32_t host, const uint8_t station[6])
{
	struct entry *e = bucket_of(host);

	for (int i = 0; i < BUCKET_ENTRIES; i++, e++) {
		if (e->host && e->host != host)
			continue;
		e->host = host;
		memcpy(e->station, station, STATION);
		return 0;
	}
	return -1;
}
