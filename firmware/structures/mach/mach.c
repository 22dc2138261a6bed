/* SPDX-License-Identifier: BSD-2-Clause */
/* Mach's side in the kernel: a frame goes into a buffer of the kernel, through the packet filter,
 * and as a message to the server's port. */
#include "kernel/softint.h"
#include "kernel/station.h"
#include "structures/mach/server.h"
#include "xkernel/event.h"
#include "xkernel/memory.h"
#include "xkernel/shepherd.h"

enum { HALF_SECOND_US = 500000, IP_TYPE_HIGH = 0x08 };

struct mach_counts mach_counts;

static struct shepherd only;
static struct message *filling;
static struct message *first, *last; /* frames that the filter has not seen */
static struct event clock;

int shepherd_init(void)
{
	return 0;
}

struct shepherd *shepherd_take(void)
{
	if (!filling)
		filling = message_take();
	if (!filling) {
		mach_counts.no_buffer++;
		return NULL;
	}
	filling->start = 2;
	only.msg.head = filling->data + filling->start;
	return &only;
}

void shepherd_put_back(struct shepherd *s)
{
	(void)s;
}

void shepherd_deliver(struct shepherd *s, struct xobj *session, size_t bytes)
{
	(void)s;
	(void)session;
	mach_counts.received++;
	filling->header.kind = MESSAGE_FRAME;
	filling->header.bytes = (uint32_t)bytes;
	filling->next = NULL;
	if (first)
		last->next = filling;
	else
		first = filling;
	last = filling;
	filling = NULL;
	softint_request();
}

static struct message *next_frame(void)
{
	int level = plat_ipl_raise(IPL_NET);
	struct message *m = first;

	if (m)
		first = m->next;
	plat_ipl_set(level);
	return m;
}

static void filter(void)
{
	struct message *m;

	while ((m = next_frame())) {
		const uint8_t *type = m->data + m->start + 12;

		if (type[0] == IP_TYPE_HIGH && type[1] == 0) {
			port_put(PORT_NETWORK, m);
		} else {
			mach_counts.filtered++;
			message_give(m);
		}
	}
}

static void half_second(void *arg)
{
	struct message *m = message_take();

	if (m) {
		m->header.kind = MESSAGE_HALF_SECOND;
		port_put(PORT_NETWORK, m);
	}
	event_schedule(&clock, half_second, arg, HALF_SECOND_US);
}

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
