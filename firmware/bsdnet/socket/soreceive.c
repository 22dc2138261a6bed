/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader: one datagram, copied mbuf by mbuf; each is freed after its copy, so that the pool
 * gives it out again while it is warm. TR 93-04 times the load of each large mbuf here. */
#include "bsdnet/environment.h"
#include "bsdnet/inet/udp.h"
#include "bsdnet/mbuf/copy_sum.h"
#include "bsdnet/socket/socket.h"

/* The sum of what has been copied of a datagram. */
struct copied {
	int summed; /* it is to be checked: integrated layer processing */
	uint64_t sum;
};

/* A sum needs the user's memory itself: whoever calls soreceive has checked all of it. Pieces of a
 * datagram have even lengths, but for the last one. */
static int copy_out(struct copied *c, uint8_t *user, const struct mbuf *m, uint32_t bytes)
{
	if (!COPY_SUMS || !c->summed)
		return net.copy_out(user, m->data, bytes);
	c->sum = copy_sum(c->sum, user, m->data, bytes);
	return 0;
}

/* A datagram for which the user's memory is too short is summed before its copy, as a whole. */
static struct copied begin(const struct mbuf *m, uint32_t bytes)
{
	struct copied c = { 0, 0 };

	if (COPY_SUMS && m && m->header_sum) {
		c.summed = m->packet_bytes <= bytes;
		c.sum = c.summed ? m->header_sum : mbuf_sum(m->header_sum, m, m->packet_bytes);
	}
	return c;
}

/* Up to `bytes` bytes of the first datagram, whose name is gone. All of it is freed. */
static int copy(struct socket *so, uint8_t *user, uint32_t bytes)
{
	struct mbuf *m = so->receive.first;
	struct copied copied = begin(m, bytes);
	uint32_t done = 0;
	int failed = 0;

	while (m && !failed && (done < bytes || !m->bytes)) {
		uint32_t part = m->bytes < bytes - done ? m->bytes : bytes - done;

		if (m->flags & M_CLUSTER && net.probe)
			net.probe(m);
		failed = part && copy_out(&copied, user + done, m, part);
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
	if (COPY_SUMS && copied.sum && checksum_fold(copied.sum)) {
		udpin_counts.bad_checksum++;
		return SOCKET_WRONG;
	}
	return (int)done;
}

int soreceive(int number, void *user, uint32_t bytes, struct udp_name *from, int wait)
{
	struct udp_name name;
	int result;
	struct socket *so;

	do {
		so = socket_take(number, wait, &name, &result);
		if (!so)
			return result;
		result = copy(so, user, bytes);
		if (result >= 0) {
			socket_counts.read++;
			socket_counts.read_bytes += (uint32_t)result;
		}
		socket_taken(so);
	} while (COPY_SUMS && result == SOCKET_WRONG);
	if (from)
		*from = name;
	return result;
}
