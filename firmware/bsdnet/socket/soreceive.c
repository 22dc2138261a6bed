/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader: one datagram, copied mbuf by mbuf; each is freed after its copy, so that the pool
 * gives it out again while it is warm. TR 93-04 times the load of each large mbuf here. */
#include "bsdnet/environment.h"
#include "bsdnet/socket/socket.h"

/* Up to `bytes` bytes of the first datagram, whose name is gone. All of it is freed. */
static int copy(struct socket *so, uint8_t *user, uint32_t bytes)
{
	struct mbuf *m = so->receive.first;
	uint32_t done = 0;
	int failed = 0;

	while (m && !failed && (done < bytes || !m->bytes)) {
		uint32_t part = m->bytes < bytes - done ? m->bytes : bytes - done;

		if (m->flags & M_CLUSTER && net.probe)
			net.probe(m);
		failed = part && net.copy_out(user + done, m->data, part);
		done += part;
		if (!failed && part == m->bytes)
			m = socket_free_first(so);
	}
	if (m && !failed)
		socket_counts.truncated++;
	if (m)
		socket_drop_first(so);
	if (failed) {
		socket_counts.bad_address++;
		return SOCKET_BAD_ADDRESS;
	}
	return (int)done;
}

int soreceive(int number, void *user, uint32_t bytes, struct udp_name *from, int wait)
{
	struct udp_name name;
	int result;
	struct socket *so = socket_take(number, wait, &name, &result);

	if (!so)
		return result;
	result = copy(so, user, bytes);
	if (result >= 0) {
		socket_counts.read++;
		socket_counts.read_bytes += (uint32_t)result;
	}
	socket_taken(so);
	if (from)
		*from = name;
	return result;
}
