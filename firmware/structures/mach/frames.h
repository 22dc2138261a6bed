/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that the driver hands up become messages, which go through the packet filter to the
 * network's port. A structure includes it once: it has the driver's four functions. */
#ifndef MACH_FRAMES_H
#define MACH_FRAMES_H

#include "kernel/softint.h"
#include "kernel/station.h"
#include "structures/mach/server.h"
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
#endif
