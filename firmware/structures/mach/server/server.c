/* SPDX-License-Identifier: BSD-2-Clause */
/* The server's first thread: starts the others, then gives sessions to clients. */
#include "structures/mach/server.h"

static struct worker workers[WORKERS];

static int start_worker(struct worker *w)
{
	w->port = port_new(0);
	w->shared = user_memory(SHARED_BYTES);
	if (w->port < 0 || !w->shared || shared_offer(w->port, w->shared))
		return -1;
	return user_start(worker, (uintptr_t)w, PRIORITY_SERVER);
}

static void run(uint64_t argument)
{
	struct message_header h;
	int given = 0;

	if (server_net_start((const struct boot_params *)argument) ||
	    port_new(PORT_NETWORK) != PORT_NETWORK || port_new(PORT_SERVER) != PORT_SERVER ||
	    user_start(network_input, 0, PRIORITY_INPUT) < 0)
		user_exit(1);
	while (message_receive(PORT_SERVER, &h, NULL, 0) >= 0) {
		h.value = ERROR_NO_MEMORY;
		if (given < WORKERS && start_worker(&workers[given]) >= 0)
			h.value = workers[given++].port;
		message_send((int)h.reply_port, &h, NULL);
	}
}

const struct program mach_server = { .name = "server", .entry = run, .priority = PRIORITY_INPUT };
