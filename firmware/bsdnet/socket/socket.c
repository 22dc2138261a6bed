/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsdnet/socket/socket.h"

#include "bsdnet/environment.h"
#include "xkernel/memory/memory.h"

struct socket_counts socket_counts;

enum { LAST_PORT = 65535 };

static struct socket sockets[SOCKETS];
static uint32_t next_port;

void sockets_start(void)
{
	memset(sockets, 0, sizeof sockets);
	memset(&socket_counts, 0, sizeof socket_counts);
	next_port = FIRST_FREE_PORT;
}

struct socket *socket_get(int number)
{
	struct socket *so;

	if (number < 0 || number >= SOCKETS)
		return NULL;
	so = &sockets[number];
	return so->in_use && !so->closing ? so : NULL;
}

int socket_create(void)
{
	for (int n = 0; n < SOCKETS; n++) {
		if (sockets[n].in_use)
			continue;
		sockets[n] = (struct socket){
			.in_use = 1,
			.generation = sockets[n].generation + 1,
		};
		socket_limits(n, SOCKET_BYTES, 0);
		return n;
	}
	return SOCKET_NONE;
}

/* A connected socket takes its peer's datagrams; another one of that port takes all the others. */
struct socket *socket_of(uint32_t port, const struct udp_name *from)
{
	struct socket *any = NULL;

	for (struct socket *so = sockets; so < sockets + SOCKETS; so++) {
		if (!so->in_use || so->closing || so->port != port)
			continue;
		if (so->peer.host == from->host && so->peer.port == from->port)
			return so;
		if (!so->peer.host)
			any = so;
	}
	return any;
}

static int is_taken(uint32_t port)
{
	for (struct socket *so = sockets; so < sockets + SOCKETS; so++)
		if (so->in_use && so->port == port)
			return 1;
	return 0;
}

int socket_bind(int number, uint32_t port)
{
	struct socket *so = socket_get(number);

	if (!so || port > LAST_PORT)
		return SOCKET_NONE;
	for (uint32_t tries = 0; !port && tries <= LAST_PORT; tries++) {
		if (!is_taken(next_port))
			port = next_port;
		next_port = next_port < LAST_PORT ? next_port + 1 : FIRST_FREE_PORT;
	}
	if (so->port != port && is_taken(port))
		return SOCKET_IN_USE;
	so->port = port;
	return (int)port;
}

int socket_connect(int number, const struct udp_name *peer)
{
	struct socket *so = socket_get(number);
	int result = 0;

	if (!so)
		return SOCKET_NONE;
	if (!so->port)
		result = socket_bind(number, 0);
	if (result >= 0)
		so->peer = *peer;
	return result < 0 ? result : 0;
}

int socket_limits(int number, uint32_t bytes, uint32_t mbuf_bytes)
{
	struct socket *so = socket_get(number);

	if (!so)
		return SOCKET_NONE;
	if (bytes > SOCKET_BYTES_MAX || mbuf_bytes > SOCKET_BYTES_MAX * 2)
		return SOCKET_TOO_LONG;
	if (!mbuf_bytes)
		mbuf_bytes = 2 * bytes < SOCKET_BYTES_MAX ? 2 * bytes : SOCKET_BYTES_MAX;
	so->receive.bytes_limit = bytes;
	so->receive.mbuf_limit = mbuf_bytes;
	return 0;
}

void socket_end(struct socket *so)
{
	while (so->receive.first) {
		socket_counts.discarded++;
		socket_drop_first(so);
	}
	socket_give_back(so);
	so->in_use = 0;
}

int socket_close(int number)
{
	struct socket *so = socket_get(number);

	if (!so)
		return SOCKET_NONE;
	so->closing = 1;
	if (!so->reading)
		socket_end(so);
	net.wakeup(so);
	return 0;
}
