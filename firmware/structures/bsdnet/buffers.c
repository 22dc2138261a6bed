/* SPDX-License-Identifier: BSD-2-Clause */
#include "structures/bsdnet/buffers.h"

#include "xkernel/memory/memory.h"

static uint8_t mbufs[MBUFS * MBUF_BYTES] __attribute__((aligned(8192)));
static uint8_t clusters[CLUSTERS * CLUSTER_BYTES] __attribute__((aligned(8192)));

static struct pool_config pool(void *area, uint32_t count, uint64_t seed)
{
	return (struct pool_config){
		.area = area,
		.count = count,
		.order = POOL_ORDER,
		.shuffle = POOL_SHUFFLE || POOL_ORDER == POOL_SCATTERED ? seed + 1 : 0,
		.place = POOL_PLACE ? (seed + 1) * (count + 1) : 0,
	};
}

struct net_config net_config_of(const struct boot_params *boot,
				void *(*seen)(void *area, size_t bytes))
{
	struct net_config config = {
		.mbufs = pool(seen ? seen(mbufs, sizeof mbufs) : mbufs, MBUFS, boot->seed),
		.clusters =
		    pool(seen ? seen(clusters, sizeof clusters) : clusters, CLUSTERS, boot->seed),
		.address = (uint32_t)boot->ip,
		.netmask = (uint32_t)boot->netmask,
		.peer = (uint32_t)boot->peer_ip,
		.without_udp_checksum = !UDP_CHECKSUM,
		.late_udp_checksum = UDP_CHECKSUM == 2,
	};

	memcpy(config.station, &boot->mac, sizeof config.station);
	memcpy(config.peer_station, &boot->peer_mac, sizeof config.peer_station);
	return config;
}
