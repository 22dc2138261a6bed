/* SPDX-License-Identifier: BSD-2-Clause */
/* Mbufs and clusters are taken from lists and given back in line, with the driver held off, as
 * BSD's macros do it. bsdnet/mbuf/mbuf.h has the mbuf itself and the functions on chains. */
#ifndef BSD_MBUF_LISTS_H
#define BSD_MBUF_LISTS_H

#include "bsd/kern/spl.h"
#include "bsd/switches.h"
#include "bsdnet/mbuf/mbuf.h"
#include "xkernel/memory/allocate.h"

/* For tests on the host alone: an interrupt handler must not use the heap. */
#ifndef BSD_MBUF_LISTS
#define BSD_MBUF_LISTS 1 /* 0: each mbuf is a block of the heap, for the host's sanitizers */
#endif

enum {
	MBUFS = 1024,
	CLUSTERS = 256,
	MBUF_HEAD = 16, /* of a cluster that is a block of the heap: its references */
};

struct free_mbuf {
	struct free_mbuf *next;
};

struct mbuf_lists {
	struct free_mbuf *mbufs, *clusters; /* the one freed last is taken first */
	uint64_t mbufs_used, clusters_used;
	uint8_t *area; /* of clusters */
	uint8_t references[CLUSTERS];
};
extern struct mbuf_lists mbuf_lists;

/* How often a cluster is in mbufs. */
static inline uint8_t *cluster_references(uint8_t *cluster)
{
	if (!BSD_MBUF_LISTS)
		return cluster - MBUF_HEAD;
	return &mbuf_lists.references[(size_t)(cluster - mbuf_lists.area) / CLUSTER_BYTES];
}

/* Counted as `no_mbuf` if there is none. */
static inline struct mbuf *mbuf_take(uint32_t flags)
{
	int level = splimp();
	struct mbuf *m;

	if (BSD_MBUF_LISTS) {
		m = (struct mbuf *)mbuf_lists.mbufs;
		if (m)
			mbuf_lists.mbufs = mbuf_lists.mbufs->next;
	} else {
		m = xk_allocate(sizeof *m);
	}
	if (m)
		mbuf_lists.mbufs_used++;
	else
		mbuf_counts.no_mbuf++;
	splx(level);
	if (!m)
		return NULL;
	m->next = NULL;
	m->next_packet = NULL;
	m->bytes = 0;
	m->flags = flags;
	if (flags & M_PACKET) {
		m->packet_bytes = 0;
		m->data = m->packet_inside;
	} else {
		m->data = m->inside;
	}
	return m;
}

/* With the driver held off. */
static inline void cluster_give(uint8_t *cluster)
{
	struct free_mbuf *f = (struct free_mbuf *)(void *)cluster;

	if (--*cluster_references(cluster))
		return;
	mbuf_lists.clusters_used--;
	if (!BSD_MBUF_LISTS) {
		xk_free(cluster - MBUF_HEAD);
		return;
	}
	f->next = mbuf_lists.clusters;
	mbuf_lists.clusters = f;
}

/* Frees this one; returns the next. */
static inline struct mbuf *mbuf_give(struct mbuf *m)
{
	int level = splimp();
	struct mbuf *next = m->next;
	struct free_mbuf *f = (struct free_mbuf *)(void *)m;

	if (m->flags & M_CLUSTER)
		cluster_give(m->cluster);
	mbuf_lists.mbufs_used--;
	if (BSD_MBUF_LISTS) {
		f->next = mbuf_lists.mbufs;
		mbuf_lists.mbufs = f;
	} else {
		xk_free(m);
	}
	splx(level);
	return next;
}
#endif
