/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader whose turn it is to take a socket's first datagram, and the check that it is whole. */
#include "bsdnet/environment.h"
#include "bsdnet/inet/udp.h"
#include "bsdnet/socket/socket.h"
#include "xkernel/checksum.h"
#include "xkernel/memory/memory.h"

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

void socket_taken(struct socket *so)
{
	so->reading = 0;
	if (so->closing)
		socket_end(so);
	net.wakeup(so); /* who reads next */
}

/* Checks a datagram here, in the context of the process that reads it next. */
static int is_wrong(const struct mbuf *m)
{
	return m->header_sum && checksum_fold(mbuf_sum(m->header_sum, m, m->packet_bytes)) != 0;
}

struct socket *socket_take(int number, int wait, struct udp_name *from, int *error)
{
	struct socket *so;

	for (;;) {
		so = lock(number, wait, error);
		if (!so)
			return NULL;
		memcpy(from, so->receive.first->data, sizeof *from);
		if (COPY_SUMS) {
			socket_free_first(so);
			return so;
		}
		if (!is_wrong(socket_free_first(so)))
			return so;
		udpin_counts.bad_checksum++;
		socket_drop_first(so);
		socket_taken(so);
	}
}
