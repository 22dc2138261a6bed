/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's side of protocols in the application's domain, TR 93-04's advice: frames go through
 * the packet filter as messages to the application, whose library has the protocols (inside/). */
#include "structures/mach/frames.h"

static int start(void)
{
	softint_start(filter);
	event_schedule(&clock, half_second, NULL, HALF_SECOND_US);
	return station_start();
}

#include "structures/mach/send.h"

/* The network's port is that of the program which asks first. */
static int take_network(struct process *p)
{
	return port_create(p, PORT_NETWORK);
}

/* The boot parameters, which a library needs to begin. */
static int tell_network(struct process *p, int number, void *buffer, uint32_t bytes,
			struct socket_name *from, int wait)
{
	const struct boot_params *boot = plat_boot();

	(void)p;
	(void)number;
	(void)from;
	(void)wait;
	if (bytes < sizeof *boot)
		return ERROR_TOO_LONG;
	memcpy(buffer, boot, sizeof *boot);
	return sizeof *boot;
}

static const struct count counts[] = {
	{ "kernel: frames", &mach_counts.received },
	{ "kernel: no buffer", &mach_counts.no_buffer },
	{ "filter: dropped", &mach_counts.filtered },
	{ "ports: messages", &port_counts.sent },
	{ "ports: full", &port_counts.full },
	{ NULL, NULL },
};

const struct structure structure = {
	.name = "library",
	.start = start,
	.sockets = { .socket = take_network, .receive = tell_network },
	.frame_send = send_frame,
	.counts = counts,
};
