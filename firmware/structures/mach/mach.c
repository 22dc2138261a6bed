/* SPDX-License-Identifier: BSD-2-Clause */
/* Mach's side in the kernel: a frame goes into a buffer of the kernel, through the packet filter,
 * and as a message to the server's port. */
#include "kernel/softint.h"
#include "kernel/station.h"
#include "structures/mach/server.h"
#include "xkernel/memory/memory.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/shepherd.h"

enum { HALF_SECOND_US = 500000, IP_TYPE_HIGH = 0x08 };

struct mach_counts mach_counts;

enum { FRAMES = 17 }; /* with dense wiring the ring has 16 */

static struct filling {
	struct shepherd shepherd;
	struct message *message; /* NULL: it waits for one */
} fillings[FRAMES];
static struct shepherd *first_free;
static struct message *first, *last; /* frames that the filter has not seen */
static struct event clock;

int shepherd_init(void)
{
	first_free = NULL;
	for (int i = FRAMES; i-- > 0;) {
		fillings[i].message = NULL;
		shepherd_put_back(&fillings[i].shepherd);
	}
	return 0;
}

struct shepherd *shepherd_take(void)
{
	struct filling *f = (struct filling *)first_free;

	if (f && !f->message)
		f->message = message_take();
	if (!f || !f->message) {
		mach_counts.no_buffer++;
		return NULL;
	}
	first_free = f->shepherd.next;
	f->message->start = 2;
	f->shepherd.msg.head = f->message->data + f->message->start;
	return &f->shepherd;
}

void shepherd_put_back(struct shepherd *s)
{
	s->next = first_free;
	first_free = s;
}

void shepherd_deliver(struct shepherd *s, struct xobj *session, size_t bytes)
{
	struct message *m = ((struct filling *)s)->message;

	(void)session;
	mach_counts.received++;
	m->header.kind = MESSAGE_FRAME;
	m->header.bytes = (uint32_t)bytes;
	m->next = NULL;
	if (first)
		last->next = m;
	else
		first = m;
	last = m;
	((struct filling *)s)->message = NULL;
	shepherd_put_back(s);
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
