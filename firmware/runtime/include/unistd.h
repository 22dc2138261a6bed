/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of a program with sockets (sys/socket.h). */
#pragma once

int close(int file);
int usleep(unsigned us); /* rounded up to interrupts of the timer */
