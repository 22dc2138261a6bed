/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/mbuf/mbuf_lists.h"

#include "xkernel/memory/memory.h"

struct mbuf_counts mbuf_counts;
struct mbuf_lists mbuf_lists;

static uint8_t mbufs[MBUFS * MBUF_BYTES] __attribute__((aligned(8192)));
static uint8_t clusters[CLUSTERS * CLUSTER_BYTES] __attribute__((aligned(8192)));

/* By address, the lowest first. */
static struct free_mbuf *list_of(uint8_t *area, uint32_t count, uint32_t bytes)
{
	struct free_mbuf *first = NULL;

	while (count--) {
		struct free_mbuf *f = (struct free_mbuf *)(void *)(area + count * bytes);

		f->next = first;
		first = f;
	}
	return first;
}

void mbuf_start(void)
{
	memset(&mbuf_counts, 0, sizeof mbuf_counts);
	memset(&mbuf_lists, 0, sizeof mbuf_lists);
	mbuf_lists.area = clusters;
	if (!BSD_MBUF_LISTS)
		return;
	mbuf_lists.mbufs = list_of(mbufs, MBUFS, MBUF_BYTES);
	mbuf_lists.clusters = list_of(clusters, CLUSTERS, CLUSTER_BYTES);
}

uint32_t mbufs_free(void)
{
	return MBUFS - (uint32_t)mbuf_lists.mbufs_used;
}

uint32_t clusters_free(void)
{
	return CLUSTERS - (uint32_t)mbuf_lists.clusters_used;
}

struct mbuf *m_get(void)
{
	return mbuf_take(0);
}

struct mbuf *m_gethdr(void)
{
	return mbuf_take(M_PACKET);
}

static uint8_t *cluster_take(void)
{
	struct free_mbuf *f = mbuf_lists.clusters;
	uint8_t *block;

	if (!BSD_MBUF_LISTS) {
		block = xk_allocate(MBUF_HEAD + CLUSTER_BYTES);
		return block ? block + MBUF_HEAD : NULL;
	}
	if (f)
		mbuf_lists.clusters = f->next;
	return (uint8_t *)f;
}

int m_clget(struct mbuf *m)
{
	int level = splimp();
	uint8_t *cluster = cluster_take();

	if (cluster) {
		mbuf_lists.clusters_used++;
		*cluster_references(cluster) = 1;
	} else {
		mbuf_counts.no_cluster++;
	}
	splx(level);
	if (!cluster)
		return -1;
	m->cluster = cluster;
	m->data = cluster;
	m->flags |= M_CLUSTER;
	return 0;
}

int m_clshare(struct mbuf *copy, const struct mbuf *m)
{
	int level = splimp();
	uint8_t *references = cluster_references(m->cluster);
	int full = *references == UINT8_MAX;

	if (!full)
		++*references;
	splx(level);
	if (full)
		return -1;
	copy->cluster = m->cluster;
	copy->flags |= M_CLUSTER;
	return 0;
}

struct mbuf *m_free(struct mbuf *m)
{
	return mbuf_give(m);
}

void m_freem(struct mbuf *m)
{
	while (m)
		m = mbuf_give(m);
}
