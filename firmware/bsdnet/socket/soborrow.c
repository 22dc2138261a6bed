/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader without a copy, after fbufs (Druschel and Peterson, 1993): it is told where the pieces
 * of a datagram lie, and has them until it borrows the next one. Whoever runs bsdnet lets it read
 * them there. */
#include "bsdnet/environment.h"
#include "bsdnet/socket/socket.h"

/* Where up to `bytes` bytes of struct socket_piece have room. Bytes of data; or an error. */
static int tell(const struct mbuf *m, uint8_t *user, uint32_t bytes)
{
	uint32_t done = 0;

	for (; m; m = m->next) {
		struct socket_piece piece = { m->data, m->bytes };

		if (!m->bytes)
			continue;
		if (bytes < sizeof piece) {
			socket_counts.truncated++;
			break;
		}
		if (m->flags & M_CLUSTER && net.probe)
			net.probe(m);
		if (net.copy_out(user, &piece, sizeof piece)) {
			socket_counts.bad_address++;
			return SOCKET_BAD_ADDRESS;
		}
		user += sizeof piece;
		bytes -= (uint32_t)sizeof piece;
		done += m->bytes;
	}
	return (int)done;
}

int soborrow(int number, void *user, uint32_t bytes, struct udp_name *from, int wait)
{
	struct socket *so = socket_get(number);
	struct udp_name name;
	int result;

	if (COPY_SUMS) /* nothing is copied, so nothing would be checked */
		return SOCKET_NONE;
	if (so)
		socket_give_back(so);
	so = socket_take(number, wait, &name, &result);
	if (!so)
		return result;
	so->lent = socket_take_first(so);
	result = tell(so->lent, user, bytes);
	if (result >= 0) {
		socket_counts.read++;
		socket_counts.read_bytes += (uint32_t)result;
	}
	socket_taken(so);
	if (from)
		*from = name;
	return result;
}
