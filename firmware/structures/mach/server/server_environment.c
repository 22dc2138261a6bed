/* SPDX-License-Identifier: BSD-2-Clause */
/* The server as bsdnet's environment. A thread may lose the processor at any instruction, so who is
 * in bsdnet has the server's lock. */
#include "bsdnet/environment.h"
#include "bsdnet/mbuf/mbuf.h"
#include "structures/bsdnet/buffers.h"
#include "structures/mach/server.h"
#include "structures/probe.h"
#include "xkernel/memory/memory.h"

enum { FRAME = 1514 };

int server_net_requested;

uint64_t *server_lock;

static uint8_t *frame; /* what is being sent: the kernel reads the server's memory alone */

static int raise_level(void)
{
	return 0;
}

static void restore(int level)
{
	(void)level;
}

static void request(void)
{
	server_net_requested = 1;
}

static int copy(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return 0;
}

/* A thread that waits for a socket lets the server's other threads on. */
static int sleep_unlocked(const void *channel)
{
	int result = user_sleep_unlocked(channel, server_lock);

	user_lock(server_lock);
	return result;
}

static int transmit(struct mbuf *m)
{
	m_copydata(m, 0, m->packet_bytes, frame);
	return frame_send(frame, m->packet_bytes);
}

static void probe(const struct mbuf *m)
{
	probe_load(m->data, m->bytes);
}

int server_net_start(const struct boot_params *boot)
{
	static const struct net_environment environment = {
		.raise = raise_level,
		.restore = restore,
		.request = request,
		.sleep = sleep_unlocked,
		.wakeup = user_wakeup,
		.copy_out = copy,
		.copy_in = copy,
		.transmit = transmit,
		.probe = PROBE ? probe : NULL,
	};
	struct net_config config = net_config_of(boot, NULL);

	frame = user_memory(FRAME);
	server_lock = user_memory(sizeof *server_lock);
	if (!frame || !server_lock)
		return -1;
	net_start(&config, &environment);
	return 0;
}
