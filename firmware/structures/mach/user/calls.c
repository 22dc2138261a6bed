/* SPDX-License-Identifier: BSD-2-Clause */
#include "structures/mach/server.h"

int port_new(int number)
{
	return (int)user_call(CALL_PORT_CREATE, (uint64_t)number, 0, 0, 0, 0);
}

int message_send(int port, const struct message_header *h, const void *data)
{
	return (int)user_call(CALL_PORT_SEND, (uint64_t)port, (uintptr_t)h, (uintptr_t)data, 0, 0);
}

int message_receive(int port, struct message_header *h, void *data, uint32_t bytes)
{
	return (int)user_call(CALL_PORT_RECEIVE, (uint64_t)port, (uintptr_t)h, (uintptr_t)data,
			      bytes, 1);
}

int shared_offer(int port, const void *start)
{
	return (int)user_call(CALL_PORT_OFFER, (uint64_t)port, (uintptr_t)start, 0, 0, 0);
}

void *shared_map(int port)
{
	int64_t start = user_call(CALL_PORT_MAP, (uint64_t)port, 0, 0, 0, 0);

	return start == ERROR_NO_MEMORY ? NULL : (void *)(uintptr_t)start;
}

int frame_send(const void *frame, uint32_t bytes)
{
	return (int)user_call(CALL_FRAME_SEND, (uintptr_t)frame, bytes, 0, 0, 0);
}
