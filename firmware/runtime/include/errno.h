/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a call has failed, by BSD's numbers; strerror (string.h) has the words. */
#pragma once

#include <sys/cdefs.h>

__BEGIN_DECLS

enum {
	ENOENT = 2,
	EINTR = 4,
	EBADF = 9,
	EINVAL = 22,
	EMFILE = 24,
	EPIPE = 32,
	EDOM = 33,
	ERANGE = 34,
	EAGAIN = 35,
	EWOULDBLOCK = EAGAIN,
	EMSGSIZE = 40,
	ENOPROTOOPT = 42,
	EPROTONOSUPPORT = 43,
	EOPNOTSUPP = 45,
	EAFNOSUPPORT = 47,
	EADDRINUSE = 48,
	EADDRNOTAVAIL = 49,
	ECONNABORTED = 53,
	ECONNRESET = 54,
	ENOBUFS = 55,
	EISCONN = 56,
	ENOTCONN = 57,
	ETIMEDOUT = 60,
	ECONNREFUSED = 61,
	EHOSTUNREACH = 65,
};

extern int errno;

__END_DECLS
