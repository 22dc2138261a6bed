/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsdnet/ether.h"

#include "bsdnet/environment.h"
#include "xkernel/memory/memory.h"

enum { BSD_QUEUE = 50, STATION = 6, TYPE_AT = 12 };

struct ether_counts ether_counts;
struct packet_queue ip_queue;

static const uint8_t all_stations[STATION] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static const uint8_t ip_type[2] = { 0x08, 0x00 };

void ether_start(void)
{
	memset(&ether_counts, 0, sizeof ether_counts);
	queue_start(&ip_queue, net_config.queue_packets ? net_config.queue_packets : BSD_QUEUE);
}

void ether_input(const uint8_t *header, struct mbuf *m)
{
	ether_counts.received++;
	if (!memcmp(header, all_stations, STATION)) {
		m->flags |= M_TO_ALL;
	} else if (memcmp(header, net_config.station, STATION)) {
		ether_counts.not_ours++;
		m_freem(m);
		return;
	}
	if (memcmp(header + TYPE_AT, ip_type, sizeof ip_type)) {
		ether_counts.unknown_type++;
		m_freem(m);
		return;
	}
	if (queue_put(&ip_queue, m) == 0)
		net.request();
}

int ether_output(struct mbuf *m, uint32_t host)
{
	int result;

	if (host != net_config.peer) {
		ether_counts.no_station++;
		m_freem(m);
		return -1;
	}
	m = m_prepend(m, ETHER_HEADER);
	if (!m) {
		ether_counts.no_mbuf++;
		return -1;
	}
	memcpy(m->data, net_config.peer_station, STATION);
	memcpy(m->data + STATION, net_config.station, STATION);
	memcpy(m->data + TYPE_AT, ip_type, sizeof ip_type);
	result = net.transmit(m);
	if (result)
		ether_counts.not_sent++;
	else
		ether_counts.sent++;
	m_freem(m);
	return result;
}
