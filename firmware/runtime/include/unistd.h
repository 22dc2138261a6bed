/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of a program with sockets (sys/socket.h). */
#pragma once

#include <sys/cdefs.h>

__BEGIN_DECLS

int close(int file);
int usleep(unsigned us); /* rounded up to interrupts of the timer */

__END_DECLS
