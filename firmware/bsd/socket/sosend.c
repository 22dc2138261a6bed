/* SPDX-License-Identifier: BSD-2-Clause */
/* The writer: the program's bytes into mbufs, one after the other to the protocol. */
#include "bsd/error.h"
#include "bsd/socket/socket.h"
#include "xkernel/memory/memory.h"
#include "xkernel/switches.h"

/* Why nothing can be sent; 0: it can. */
static inline int cannot_send(const struct socket *so)
{
	if (PREDICT_FALSE(so->state & SOCKET_CANT_SEND))
		return so->error ? so->error : BSD_EPIPE;
	if (PREDICT_FALSE(so->error))
		return so->error;
	if (PREDICT_FALSE(!(so->state & SOCKET_CONNECTED)))
		return BSD_ENOTCONN;
	return 0;
}

/* One mbuf with as many of the bytes as it takes. NULL: none left. */
static inline struct mbuf *fill(const uint8_t *from, uint32_t bytes)
{
	struct mbuf *m = mbuf_take(M_PACKET);
	uint32_t room = PACKET_INSIDE;

	if (PREDICT_FALSE(!m))
		return NULL;
	if (bytes >= CLUSTER_FROM && m_clget(m) == 0)
		room = CLUSTER_BYTES;
	m->bytes = bytes < room ? bytes : room;
	m->packet_bytes = m->bytes;
	memcpy(m->data, from, m->bytes);
	return m;
}

int sosend(struct socket *so, const void *data, uint32_t *bytes)
{
	const uint8_t *from = data;
	uint32_t left = *bytes;
	int level, error = sblock(&so->send);

	if (PREDICT_FALSE(error))
		return error;
	while (left && !error) {
		uint32_t space;
		struct mbuf *m;

		level = splnet();
		error = cannot_send(so);
		space = sbspace(&so->send);
		if (PREDICT_FALSE(!error && space < left && space < so->send.least)) {
			error = sbwait(&so->send);
			splx(level);
			continue;
		}
		splx(level);
		while (left && space && !error) {
			m = fill(from, left < space ? left : space);
			if (PREDICT_FALSE(!m)) {
				error = BSD_ENOBUFS;
				break;
			}
			from += m->bytes;
			left -= m->bytes;
			space -= m->bytes;
			sockstat.sent_bytes += m->bytes;
			level = splnet();
			error = cannot_send(so);
			if (PREDICT_FALSE(error))
				m_freem(m);
			else
				error = so->protocol->usrreq(so, REQUEST_SEND, m, NULL);
			splx(level);
		}
	}
	*bytes -= left;
	sbunlock(&so->send);
	return error;
}
