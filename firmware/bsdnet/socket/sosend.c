/* SPDX-License-Identifier: BSD-2-Clause */
/* The sender: the user's bytes into clusters, then UDP. */
#include "bsdnet/environment.h"
#include "bsdnet/socket/socket.h"

/* Room in front of the first small mbuf for all headers below. */
enum { HEADERS = UDP_HEADER + IP_HEADER + LINK_ROOM };

static int fill(struct mbuf *m, const uint8_t *user, uint32_t bytes, uint32_t *done)
{
	uint32_t left = bytes - *done, room;

	if (left >= CLUSTER_FROM && m_clget(m))
		return SOCKET_NOT_SENT;
	if (m->flags & M_PACKET && !(m->flags & M_CLUSTER))
		m->data += HEADERS;
	room = (uint32_t)(mbuf_room_start(m) + mbuf_room_bytes(m) - m->data);
	m->bytes = left < room ? left : room;
	if (m->bytes && net.copy_in(m->data, user + *done, m->bytes))
		return SOCKET_BAD_ADDRESS;
	*done += m->bytes;
	return 0;
}

int sosend(int number, const void *user, uint32_t bytes, const struct udp_name *to)
{
	struct socket *so = socket_get(number);
	struct mbuf *packet, *m;
	uint32_t done = 0;
	int result = 0;

	if (!so)
		return SOCKET_NONE;
	if (bytes > UDP_LONGEST)
		return SOCKET_TOO_LONG;
	if (!so->port)
		result = socket_bind(number, 0);
	if (result < 0)
		return result;
	packet = m = m_gethdr();
	result = m ? fill(m, user, bytes, &done) : SOCKET_NOT_SENT;
	while (result == 0 && done < bytes) {
		m->next = m_get();
		m = m->next;
		result = m ? fill(m, user, bytes, &done) : SOCKET_NOT_SENT;
	}
	if (result < 0) {
		m_freem(packet);
		return result;
	}
	packet->packet_bytes = bytes;
	if (udp_output(packet, so->port, to ? to : &so->peer))
		return SOCKET_NOT_SENT;
	socket_counts.sent++;
	return (int)bytes;
}
