/* SPDX-License-Identifier: BSD-2-Clause */
/* A frame that a program sends. A structure includes it once. */
#ifndef MACH_SEND_H
#define MACH_SEND_H

#include "kernel/call.h"
#include "kernel/process.h"
#include "kernel/station.h"
#include "xkernel/memory/memory.h"

struct piece {
	const void *from;
	size_t bytes;
};

static void fill(void *frame, const void *arg)
{
	const struct piece *piece = arg;

	memcpy(frame, piece->from, piece->bytes);
}

static int send_frame(struct process *p, const void *frame, uint32_t bytes)
{
	struct piece piece = { frame, bytes };

	(void)p;
	return station_send(bytes, fill, &piece) ? ERROR_NOT_SENT : 0;
}
#endif
