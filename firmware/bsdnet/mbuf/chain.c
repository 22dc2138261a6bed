/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of mbufs: moved, cut, shared, joined. */
#include "bsdnet/mbuf/mbuf.h"
#include "xkernel/memory/memory.h"

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void copy_packet_header(struct mbuf *to, const struct mbuf *from)
{
	to->packet_bytes = from->packet_bytes;
	to->offset = from->offset;
	to->flags |= from->flags & M_TO_ALL;
	to->next_packet = from->next_packet;
}

/* Up to `bytes` bytes of the chain behind `to`, to its end. Mbufs that get empty are freed. */
static void move_up(struct mbuf *to, uint32_t bytes)
{
	while (bytes && to->next) {
		struct mbuf *from = to->next;
		uint32_t part = least(bytes, from->bytes);

		memcpy(to->data + to->bytes, from->data, part);
		to->bytes += part;
		from->data += part;
		from->bytes -= part;
		bytes -= part;
		if (!from->bytes)
			to->next = m_free(from);
	}
}

/* The packet's first `bytes` bytes in one small mbuf. Where any must move, as many as BSD moves go,
 * so that headers above will be there too. A cluster's mbuf always gets a small one before it. */
struct mbuf *m_pullup(struct mbuf *m, uint32_t bytes)
{
	struct mbuf *first = m;
	uint32_t room;

	if (bytes > m->packet_bytes || bytes > PACKET_INSIDE - LINK_ROOM) {
		m_freem(m);
		return NULL;
	}
	room = (uint32_t)(mbuf_room_start(m) + mbuf_room_bytes(m) - m->data);
	if (m->flags & M_CLUSTER || room < bytes) {
		first = m_gethdr();
		if (!first) {
			m_freem(m);
			return NULL;
		}
		copy_packet_header(first, m);
		first->data += LINK_ROOM;
		first->next = m;
		room = PACKET_INSIDE - LINK_ROOM;
	}
	if (first->bytes < bytes)
		move_up(first, least(bytes < PULLED_UP ? PULLED_UP : bytes, room) - first->bytes);
	return first;
}

void m_adj(struct mbuf *m, uint32_t front)
{
	m->packet_bytes -= least(front, m->packet_bytes);
	for (; m && front; m = m->next) {
		uint32_t part = least(front, m->bytes);

		m->data += part;
		m->bytes -= part;
		front -= part;
	}
}

void m_trim(struct mbuf *m, uint32_t bytes)
{
	m->packet_bytes = least(bytes, m->packet_bytes);
	for (;;) {
		m->bytes = least(m->bytes, bytes);
		bytes -= m->bytes;
		if (!bytes || !m->next)
			break;
		m = m->next;
	}
	m_freem(m->next);
	m->next = NULL;
}

static int copy_one(struct mbuf *to, const struct mbuf *from, uint32_t offset, uint32_t bytes)
{
	to->bytes = bytes;
	if (from->flags & M_CLUSTER) {
		if (m_clshare(to, from))
			return -1;
		to->data = from->data + offset;
		return 0;
	}
	if (bytes > mbuf_room_bytes(to) && m_clget(to)) /* a packet's first mbuf has less room */
		return -1;
	memcpy(to->data, from->data + offset, bytes);
	return 0;
}

struct mbuf *m_copym(const struct mbuf *m, uint32_t from, uint32_t bytes)
{
	struct mbuf *first = NULL, **link = &first;

	while (m && from >= m->bytes) {
		from -= m->bytes;
		m = m->next;
	}
	while (bytes) {
		uint32_t part = m ? least(bytes, m->bytes - from) : 0;
		struct mbuf *copy = m ? first ? m_get() : m_gethdr() : NULL;

		if (!copy) {
			m_freem(first);
			return NULL;
		}
		*link = copy;
		link = &copy->next;
		if (copy_one(copy, m, from, part)) {
			m_freem(first);
			return NULL;
		}
		first->packet_bytes += part;
		bytes -= part;
		from = 0;
		m = m->next;
	}
	return first;
}

void m_copydata(const struct mbuf *m, uint32_t from, uint32_t bytes, void *to)
{
	uint8_t *p = to;

	for (; m && bytes; m = m->next) {
		uint32_t skipped = least(from, m->bytes), part = least(bytes, m->bytes - skipped);

		memcpy(p, m->data + skipped, part);
		p += part;
		from -= skipped;
		bytes -= part;
	}
}

struct mbuf *m_prepend(struct mbuf *m, uint32_t bytes)
{
	struct mbuf *first;

	/* A cluster may be shared: nobody writes in front of its data. */
	if (!(m->flags & M_CLUSTER) && m->data - mbuf_room_start(m) >= (ptrdiff_t)bytes) {
		m->data -= bytes;
		m->bytes += bytes;
		m->packet_bytes += bytes;
		return m;
	}
	first = m_gethdr();
	if (!first) {
		m_freem(m);
		return NULL;
	}
	copy_packet_header(first, m);
	first->data += PACKET_INSIDE - bytes;
	first->bytes = bytes;
	first->packet_bytes += bytes;
	first->next = m;
	return first;
}

void m_cat(struct mbuf *packet, struct mbuf *next)
{
	struct mbuf *m = packet;

	packet->packet_bytes += next->packet_bytes;
	while (m->next)
		m = m->next;
	m->next = next;
	next->next_packet = NULL;
}
