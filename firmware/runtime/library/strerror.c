/* SPDX-License-Identifier: BSD-2-Clause */
#include "errno.h"
#include "stdio.h"
#include "string.h"

int errno;

static const char *const words[] = {
	[ENOENT] = "no such file",
	[EINTR] = "no stack for those who go on",
	[EBADF] = "not a socket",
	[EINVAL] = "not with this socket, or not with these arguments",
	[EMFILE] = "too many sockets",
	[EPIPE] = "nothing more can be sent",
	[EDOM] = "outside what the function is defined for",
	[ERANGE] = "too large",
	[EAGAIN] = "nothing is there yet",
	[EMSGSIZE] = "too long",
	[ENOPROTOOPT] = "no such option",
	[EPROTONOSUPPORT] = "streams alone",
	[EOPNOTSUPP] = "not of a socket that listens",
	[EAFNOSUPPORT] = "AF_INET alone",
	[EADDRINUSE] = "the port is taken",
	[EADDRNOTAVAIL] = "no such address or port",
	[ECONNABORTED] = "the connection was given up",
	[ECONNRESET] = "the other machine has reset the connection",
	[ENOBUFS] = "no memory",
	[EISCONN] = "connected already",
	[ENOTCONN] = "not connected",
	[ETIMEDOUT] = "the other machine does not answer",
	[ECONNREFUSED] = "nobody listens on the port",
	[EHOSTUNREACH] = "no such machine on the wire",
};

char *strerror(int error)
{
	const char *found = NULL;

	if (error >= 0 && (size_t)error < sizeof words / sizeof *words)
		found = words[error];
	return (char *)(found ? found : "an error without a name");
}

void perror(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
}
