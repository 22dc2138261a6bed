/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool of equal buffers. Where they lie, and in which order they are taken, is the caller's: it
 * decides which cache lines and pages network data use. */
#ifndef BSDNET_POOL_H
#define BSDNET_POOL_H

#include <stddef.h>
#include <stdint.h>

enum pool_order {
	POOL_LIFO,	/* the one freed last, as BSD */
	POOL_FIFO,	/* the one freed first */
	POOL_SCATTERED, /* any, drawn by the seed */
};

enum { POOL_MAX = 4096 };

struct pool_config {
	void *area; /* of count buffers */
	uint32_t count;
	enum pool_order order;
	uint64_t shuffle; /* seed of the free list at start; 0: by address */
	uint64_t place;	  /* by address from a place of this seed on; 0: from the area's start */
};

struct pool_link { /* in the first bytes of a free buffer, as in BSD */
	struct pool_link *next;
};

struct pool {
	uint8_t *area;
	uint32_t bytes, shift, count, free; /* bytes: of a buffer, 1 << shift */
	enum pool_order order;
	uint64_t random;
	struct pool_link *first, *last;
	uint8_t references[POOL_MAX]; /* of each buffer; 0: free */
};

void pool_start(struct pool *p, const struct pool_config *config, uint32_t buffer_bytes);

/* All of these at the driver's level, or with the driver held off. */
void *pool_take(struct pool *p);	      /* with one reference; NULL: none left */
int pool_share(struct pool *p, void *buffer); /* one reference more; -1: there are too many */
int pool_give(struct pool *p, void *buffer);  /* one less; -1: it was free already */
#endif
