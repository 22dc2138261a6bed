/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsdnet/mbuf/mbuf.h"

#include "bsdnet/environment.h"
#include "xkernel/memory/memory.h"

struct mbuf_counts mbuf_counts;

static struct pool mbufs, clusters;

void mbuf_start(void)
{
	pool_start(&mbufs, &net_config.mbufs, MBUF_BYTES);
	pool_start(&clusters, &net_config.clusters, CLUSTER_BYTES);
	memset(&mbuf_counts, 0, sizeof mbuf_counts);
}

uint32_t mbufs_free(void)
{
	return mbufs.free;
}

uint32_t clusters_free(void)
{
	return clusters.free;
}

static struct mbuf *get(uint32_t flags)
{
	int level = net.raise();
	struct mbuf *m = pool_take(&mbufs);

	net.restore(level);
	if (!m) {
		mbuf_counts.no_mbuf++;
		return NULL;
	}
	m->next = NULL;
	m->next_packet = NULL;
	m->bytes = 0;
	m->flags = flags;
	m->data = mbuf_room_start(m);
	return m;
}

struct mbuf *m_get(void)
{
	return get(0);
}

struct mbuf *m_gethdr(void)
{
	struct mbuf *m = get(M_PACKET);

	if (m) {
		m->packet_bytes = 0;
		m->offset = 0;
	}
	return m;
}

int m_clget(struct mbuf *m)
{
	int level = net.raise();
	uint8_t *cluster = pool_take(&clusters);

	net.restore(level);
	if (!cluster) {
		mbuf_counts.no_cluster++;
		return -1;
	}
	m->cluster = cluster;
	m->data = cluster;
	m->flags |= M_CLUSTER;
	return 0;
}

int m_clshare(struct mbuf *copy, const struct mbuf *m)
{
	int level = net.raise(), result = pool_share(&clusters, m->cluster);

	net.restore(level);
	if (result)
		return -1;
	copy->cluster = m->cluster;
	copy->flags |= M_CLUSTER;
	return 0;
}

struct mbuf *m_free(struct mbuf *m)
{
	struct mbuf *next = m->next;
	int level = net.raise();

	if (m->flags & M_CLUSTER && pool_give(&clusters, m->cluster))
		mbuf_counts.freed_twice++;
	if (pool_give(&mbufs, m))
		mbuf_counts.freed_twice++;
	net.restore(level);
	return next;
}

void m_freem(struct mbuf *m)
{
	while (m)
		m = m_free(m);
}
