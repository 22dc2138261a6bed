/* SPDX-License-Identifier: BSD-2-Clause */
/* Mach's side in the kernel: a frame goes into a buffer of the kernel, through the packet filter,
 * and as a message to the server's port. */
#include "structures/mach/frames.h"

static int start(void)
{
	softint_start(filter);
	if (!process_start_with_boot(&mach_server))
		return -1;
	event_schedule(&clock, half_second, NULL, HALF_SECOND_US);
	return station_start();
}

static int finish(void)
{
	struct message *m = message_take();

	if (!m)
		return -1;
	m->header.kind = MESSAGE_END;
	return port_put(PORT_NETWORK, m);
}

#include "structures/mach/send.h"

static const struct count counts[] = {
	{ "kernel: frames", &mach_counts.received },
	{ "kernel: no buffer", &mach_counts.no_buffer },
	{ "filter: dropped", &mach_counts.filtered },
	{ "ports: messages", &port_counts.sent },
	{ "ports: full", &port_counts.full },
	{ NULL, NULL },
};

const struct structure structure = {
	.name = "mach",
	.start = start,
	.frame_send = send_frame,
	.finish = finish,
	.counts = counts,
};
