/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader: one datagram, copied mbuf by mbuf; each is freed after its copy, so that the pool
 * gives it out again while it is warm. TR 93-04 times the load of each large mbuf here. */
#include "bsdnet/environment.h"
#include "bsdnet/socket.h"
#include "bsdnet/udp.h"
#include "xkernel/checksum.h"
#include "xkernel/memory.h"

/* The socket with a datagram in it, ours alone to read. NULL: *error says why. */
static struct socket *lock(int number, int wait, int *error)
{
	struct socket *so = socket_get(number);
	uint32_t generation = so ? so->generation : 0;

	*error = SOCKET_NONE;
	while (so && (so->reading || !so->receive.first)) {
		*error = SOCKET_WOULD_WAIT;
		if (!wait)
			return NULL;
		*error = SOCKET_CLOSED;
		if (net.sleep(so) < 0)
			return NULL;
		so = socket_get(number);
		if (so && so->generation != generation)
			return NULL; /* another socket has the number by now */
	}
	if (so)
		so->reading = 1;
	return so;
}

static void unlock(struct socket *so)
{
	so->reading = 0;
	if (so->closing)
		socket_end(so);
	net.wakeup(so); /* who reads next */
}

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

/* Of a datagram that is checked here, in the context of who reads it next. */
static int is_wrong(const struct mbuf *m)
{
	return m->header_sum && checksum_fold(mbuf_sum(m->header_sum, m, m->packet_bytes)) != 0;
}

int soreceive(int number, void *user, uint32_t bytes, struct udp_name *from, int wait)
{
	struct udp_name name;
	struct socket *so;
	int result;

	for (;;) {
		so = lock(number, wait, &result);
		if (!so)
			return result;
		memcpy(&name, so->receive.first->data, sizeof name);
		if (!is_wrong(socket_free_first(so)))
			break;
		udpin_counts.bad_checksum++;
		socket_drop_first(so);
		unlock(so);
	}
	result = copy(so, user, bytes);
	if (result >= 0) {
		socket_counts.read++;
		socket_counts.read_bytes += (uint32_t)result;
	}
	unlock(so);
	if (from)
		*from = name;
	return result;
}
