/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsdnet/driver.h"

#include "xkernel/memory/memory.h"

struct driver_counts driver_counts;

void driver_start(void)
{
	memset(&driver_counts, 0, sizeof driver_counts);
}

/* A cluster for a long packet, small mbufs for a short one. NULL: not enough left. */
static struct mbuf *copy_in(const uint8_t *from, uint32_t bytes)
{
	struct mbuf *packet = m_gethdr(), *m = packet;

	if (packet && bytes >= CLUSTER_FROM && m_clget(packet)) {
		m_freem(packet);
		packet = NULL;
	}
	if (!packet)
		return NULL;
	packet->packet_bytes = bytes;
	for (;;) {
		uint32_t room = mbuf_room_bytes(m), part = bytes < room ? bytes : room;

		memcpy(m->data, from, part);
		m->bytes = part;
		from += part;
		bytes -= part;
		if (!bytes)
			return packet;
		m->next = m_get();
		if (!m->next) {
			m_freem(packet);
			return NULL;
		}
		m = m->next;
	}
}

void driver_copy(const uint8_t *frame, uint32_t bytes)
{
	struct mbuf *m;

	if (bytes < ETHER_HEADER) {
		ether_counts.too_short++;
		return;
	}
	m = copy_in(frame + ETHER_HEADER, bytes - ETHER_HEADER);
	if (!m) {
		driver_counts.no_buffer++;
		return;
	}
	driver_counts.copied++;
	ether_input(frame, m);
}

struct mbuf *driver_cluster(void)
{
	struct mbuf *m = m_gethdr();

	if (m && m_clget(m)) {
		m_freem(m);
		m = NULL;
	}
	if (!m)
		driver_counts.no_buffer++;
	return m;
}

void driver_filled(struct mbuf *m, uint32_t bytes)
{
	if (bytes < ETHER_HEADER) {
		ether_counts.too_short++;
		m_freem(m);
		return;
	}
	driver_counts.filled++;
	m->data = driver_place(m) + ETHER_HEADER;
	m->bytes = bytes - ETHER_HEADER;
	m->packet_bytes = m->bytes;
	ether_input(driver_place(m), m);
}
