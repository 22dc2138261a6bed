/* SPDX-License-Identifier: BSD-2-Clause */
/* Stream sockets on the production stack (docs/explanation/bsd.md), between the two machines of
 * ./mcpi exec ... --peer. A program that includes this has no timer and no mcpi_net.h of its own.
 *
 * A call that fails returns -1 and sets errno. main is one thread, so one call waits at a time; TCP
 * works while a call does. The first machine's main begins 3 ms after the second's, which may
 * listen by then. At the end of main, or in exit(0), all sockets are closed, and the machine works
 * until the other one has closed too. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

typedef long ssize_t;
typedef uint32_t socklen_t, in_addr_t;
typedef uint16_t sa_family_t, in_port_t;

struct in_addr {
	in_addr_t s_addr;
};

struct sockaddr {
	sa_family_t sa_family;
	uint8_t sa_data[14];
};

struct sockaddr_in {
	sa_family_t sin_family;
	in_port_t sin_port; /* it and the address are as on the wire */
	struct in_addr sin_addr;
	uint8_t sin_zero[8];
};

enum { SOCK_STREAM = 1, AF_INET = 2, SHUT_WR = 1, MSG_PEEK = 2, MSG_DONTWAIT = 64 };
enum { IPPROTO_TCP = 6, TCP_NODELAY = 1, INADDR_ANY = 0 };

int socket(int domain, int type, int protocol);
int bind(int file, const struct sockaddr *name, socklen_t bytes);
int listen(int file, int backlog);
int accept(int file, struct sockaddr *from, socklen_t *bytes); /* `from` may be NULL */
int connect(int file, const struct sockaddr *to, socklen_t bytes);
ssize_t send(int file, const void *from, size_t bytes, int flags); /* all, unless it fails */
ssize_t recv(int file, void *to, size_t room, int flags); /* 0: the other end sends no more */
int shutdown(int file, int how);			  /* SHUT_WR: we send no more */
int setsockopt(int file, int level, int option, const void *value, socklen_t bytes);

in_addr_t mcpi_host(int node); /* a machine's address, as on the wire */

static inline uint16_t htons(uint16_t x)
{
	return (uint16_t)(x << 8 | x >> 8);
}

static inline uint16_t ntohs(uint16_t x)
{
	return htons(x);
}

static inline uint32_t htonl(uint32_t x)
{
	return (uint32_t)htons((uint16_t)x) << 16 | htons((uint16_t)(x >> 16));
}

static inline uint32_t ntohl(uint32_t x)
{
	return htonl(x);
}

__END_DECLS
