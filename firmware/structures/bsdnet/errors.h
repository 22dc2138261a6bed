/* SPDX-License-Identifier: BSD-2-Clause */
/* bsdnet's errors as those of system calls. */
#ifndef STRUCTURES_ERRORS_H
#define STRUCTURES_ERRORS_H

#include "bsdnet/socket/socket.h"
#include "kernel/call.h"

static int error_of(int result)
{
	static const int errors[] = {
		[-SOCKET_NONE] = ERROR_BAD_NUMBER,
		[-SOCKET_IN_USE] = ERROR_IN_USE,
		[-SOCKET_BAD_ADDRESS] = ERROR_BAD_ADDRESS,
		[-SOCKET_WOULD_WAIT] = ERROR_WOULD_WAIT,
		[-SOCKET_CLOSED] = ERROR_ENDED,
		[-SOCKET_TOO_LONG] = ERROR_TOO_LONG,
		[-SOCKET_NOT_SENT] = ERROR_NOT_SENT,
	};

	return result < 0 ? errors[-result] : result;
}
#endif
