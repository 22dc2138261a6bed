/* SPDX-License-Identifier: BSD-2-Clause */
/* With BSD_CROSSING: the program in user mode, and its two system calls. The machine protects no
 * memory, so what is measured is the crossing: CALLSYS, the checks of descriptor and buffer, and
 * RETSYS. */
#pragma once

#include <stdint.h>

#include "bsd/socket/socket.h"

enum gate_number { GATE_LEAVE, GATE_SEND, GATE_RECEIVE };
enum {
	GATE_SOCKET = 3, /* the program's descriptor */
	GATE_FILES = 8,
	GATE_BAD_FILE = -9,
	GATE_BAD_ADDRESS = -14,
};

/* Runs program(arg) in user mode, with the socket under GATE_SOCKET, until it returns. */
void gate_run(void (*program)(void *arg), void *arg, struct socket *so);

/* In user mode: bytes done, or an error below 0. The buffer lies on the program's stack. */
int64_t gate_call(enum gate_number number, uint64_t file, void *buffer, uint64_t bytes);

/* gate.S and gate.c call each other. */
void gate_enter(void (*program)(void *arg), void *arg, uint8_t *stack);
int64_t gate_dispatch(uint64_t number, uint64_t file, uint64_t buffer, uint64_t bytes);
