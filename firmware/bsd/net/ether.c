/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/net/ether.h"

#include "bsd/error.h"
#include "bsd/kern/softnet.h"
#include "bsd/net/arp.h"
#include "xkernel/memory/memory.h"

enum { TYPE_AT = 12, IP_TYPE = 0x0008 }; /* the type as on the wire */

struct ifstat ifstat;
struct packets ip_queue;

typedef uint16_t __attribute__((may_alias)) half;

static const uint8_t all_stations[STATION_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

void ether_start(struct interface *i)
{
	ifstat = (struct ifstat){ 0 };
	i->output = ether_output;
	i->send = ip_queue = (struct packets){ 0 };
}

static void drop(struct mbuf *m, uint64_t *count)
{
	++*count;
	m_freem(m);
}

void ether_input(struct interface *i, const uint8_t *header, struct mbuf *m)
{
	ifstat.received++;
	if (!memcmp(header, all_stations, STATION_BYTES))
		m->flags |= M_TO_ALL;
	else if (memcmp(header, i->station, STATION_BYTES))
		return drop(m, &ifstat.not_ours);
	if (*(const half *)(const void *)(header + TYPE_AT) != IP_TYPE)
		return drop(m, &ifstat.unknown_type);
	if (packets_full(&ip_queue))
		return drop(m, &ip_queue.dropped);
	packets_put(&ip_queue, m);
	softnet_request();
}

/* Gives the frame to the interface's queue, and starts the interface. */
static int enqueue(struct interface *i, struct mbuf *m)
{
	int level = splimp(), result = BSD_ENOBUFS;

	if (packets_full(&i->send)) {
		drop(m, &ifstat.queue_full);
	} else {
		packets_put(&i->send, m);
		result = i->start(i);
	}
	splx(level);
	return result;
}

int ether_output(struct interface *i, struct mbuf *m, uint32_t host)
{
	const uint8_t *station = arp_resolve(host);

	if (!station) {
		drop(m, &ifstat.no_station);
		return BSD_EHOSTUNREACH;
	}
	m = m_prepend(m, LINK_HEADER);
	if (!m) {
		ifstat.no_mbuf++;
		return BSD_ENOBUFS;
	}
	memcpy(m->data, station, STATION_BYTES);
	memcpy(m->data + STATION_BYTES, i->station, STATION_BYTES);
	*(half *)(void *)(m->data + TYPE_AT) = IP_TYPE;
	return enqueue(i, m);
}
