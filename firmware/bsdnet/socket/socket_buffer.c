/* SPDX-License-Identifier: BSD-2-Clause */
/* A socket's queue. It has two limits, and is full where either has less room than the new data. */
#include "bsdnet/environment.h"
#include "bsdnet/socket/socket.h"
#include "xkernel/memory/memory.h"

static uint32_t size_of(const struct mbuf *m)
{
	return MBUF_BYTES + (m->flags & M_CLUSTER ? (uint32_t)CLUSTER_BYTES : 0);
}

static uint32_t room(uint32_t limit, uint32_t used)
{
	return limit > used ? limit - used : 0;
}

/* -1: dropped and counted. */
int socket_append(struct socket *so, struct mbuf *m, const struct udp_name *from)
{
	struct socket_buffer *sb = &so->receive;
	uint32_t bytes = m->packet_bytes + (uint32_t)sizeof *from;
	struct mbuf *name;

	if (room(sb->bytes_limit, sb->bytes) < bytes) {
		socket_counts.full_bytes++;
		m_freem(m);
		return -1;
	}
	if (room(sb->mbuf_limit, sb->mbuf_bytes) < bytes) {
		socket_counts.full_mbufs++;
		m_freem(m);
		return -1;
	}
	name = m_gethdr();
	if (!name) {
		socket_counts.no_mbuf++;
		m_freem(m);
		return -1;
	}
	memcpy(name->data, from, sizeof *from);
	name->bytes = sizeof *from;
	name->packet_bytes = bytes;
	name->next = m;
	for (m = name; m; m = m->next)
		sb->mbuf_bytes += size_of(m);
	sb->bytes += bytes;
	if (sb->first)
		sb->last->next_packet = name;
	else
		sb->first = name;
	sb->last = name;
	net.wakeup(so);
	return 0;
}

/* An mbuf of the first datagram out of the queue; the next one is the first now. */
static struct mbuf *take(struct socket_buffer *sb)
{
	struct mbuf *m = sb->first, *next = m->next;

	sb->bytes -= m->bytes;
	sb->mbuf_bytes -= size_of(m);
	if (next) {
		next->next_packet = m->next_packet;
		if (sb->last == m)
			sb->last = next;
		sb->first = next;
	} else {
		sb->first = m->next_packet;
	}
	return m;
}

struct mbuf *socket_free_first(struct socket *so)
{
	return m_free(take(&so->receive));
}

struct mbuf *socket_take_first(struct socket *so)
{
	struct mbuf *first = so->receive.first;

	while (take(&so->receive)->next)
		;
	return first;
}

void socket_give_back(struct socket *so)
{
	m_freem(so->lent);
	so->lent = NULL;
}

void socket_drop_first(struct socket *so)
{
	while (socket_free_first(so))
		;
}
