/* SPDX-License-Identifier: BSD-2-Clause */
/* The server's most urgent thread: the kernel copies a frame into its buffer, and it copies the
 * frame into mbufs. Its protocols run here, up to the socket. */
#include "bsdnet/driver.h"
#include "bsdnet/environment.h"
#include "structures/bsdnet/counts.h"
#include "structures/footprint.h"
#include "structures/mach/server.h"

enum { BUFFER = 8192 };

static void take(const struct message_header *h, const uint8_t *frame, uint32_t bytes)
{
	if (h->kind == MESSAGE_HALF_SECOND)
		net_half_second();
	else
		driver_copy(frame, bytes);
	if (server_net_requested)
		net_run();
	server_net_requested = 0;
}

void network_input(uint64_t unused)
{
	uint8_t *buffer = user_memory(BUFFER);
	struct message_header h;
	int bytes;

	(void)unused;
	if (!buffer)
		return;
	for (;;) {
		/* 2 mod 16, so that IP's header is aligned. */
		bytes = message_receive(PORT_NETWORK, &h, buffer + 2, BUFFER - 2);
		if (bytes < 0)
			return;
		if (h.kind == MESSAGE_END) {
			say_counts();
			return;
		}
		user_lock(server_lock);
		take(&h, buffer + 2, (uint32_t)bytes);
		footprint_read();
		user_unlock(server_lock);
	}
}
