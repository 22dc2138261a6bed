/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/bsdtest/gate.h"

#include "bsd/switches.h"

#if BSD_CROSSING
enum { USER_BYTES = 4096 };

static uint8_t user_stack[USER_BYTES] __attribute__((aligned(16)));
static struct socket *files[GATE_FILES];

void gate_run(void (*program)(void *arg), void *arg, struct socket *so)
{
	files[GATE_SOCKET] = so;
	gate_enter(program, arg, user_stack + USER_BYTES);
}

int64_t gate_dispatch(uint64_t number, uint64_t file, uint64_t buffer, uint64_t bytes)
{
	uint64_t at = buffer - (uintptr_t)user_stack;
	uint32_t done = (uint32_t)bytes;
	int error;

	if (file >= GATE_FILES || !files[file])
		return GATE_BAD_FILE;
	if (bytes > USER_BYTES || at > USER_BYTES - bytes)
		return GATE_BAD_ADDRESS;
	if (number == GATE_SEND)
		error = sosend(files[file], (const void *)buffer, &done);
	else
		error = soreceive(files[file], (void *)buffer, &done, 0);
	return error ? -(int64_t)error : (int64_t)done;
}
#endif
