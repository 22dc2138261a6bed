/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of sockets, by BSD's numbers. */
#ifndef BSD_ERROR_H
#define BSD_ERROR_H

enum bsd_error {
	BSD_EINTR = 4, /* the machine has no stack for a thread that waits */
	BSD_EINVAL = 22,
	BSD_EPIPE = 32,
	BSD_EAGAIN = 35,
	BSD_EMSGSIZE = 40,
	BSD_EOPNOTSUPP = 45,
	BSD_EADDRINUSE = 48,
	BSD_EADDRNOTAVAIL = 49,
	BSD_ECONNABORTED = 53,
	BSD_ECONNRESET = 54,
	BSD_ENOBUFS = 55,
	BSD_EISCONN = 56,
	BSD_ENOTCONN = 57,
	BSD_ETIMEDOUT = 60,
	BSD_ECONNREFUSED = 61,
	BSD_EHOSTUNREACH = 65,
	BSD_EWOULDBLOCK = BSD_EAGAIN,
};
#endif
