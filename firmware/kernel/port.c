/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/port.h"

#include "kernel/call.h"
#include "kernel/sleep.h"
#include "xkernel/memory/memory.h"

struct port_counts port_counts;

struct port {
	struct space *owner; /* NULL: free */
	struct message *first, *last;
	uint32_t messages;
	struct memory *offered;
};

static struct port ports[PORTS];
static struct message messages[MESSAGES];
static struct message *free_messages;

void ports_start(void)
{
	memset(ports, 0, sizeof ports);
	memset(&port_counts, 0, sizeof port_counts);
	free_messages = NULL;
	for (int i = MESSAGES; i-- > 0;)
		message_give(&messages[i]);
}

struct message *message_take(void)
{
	int level = plat_ipl_raise(IPL_HIGH);
	struct message *m = free_messages;

	if (m)
		free_messages = m->next;
	else
		port_counts.no_message++;
	plat_ipl_set(level);
	if (m) {
		memset(&m->header, 0, sizeof m->header);
		m->start = 0;
	}
	return m;
}

void message_give(struct message *m)
{
	int level = plat_ipl_raise(IPL_HIGH);

	m->next = free_messages;
	free_messages = m;
	plat_ipl_set(level);
}

static struct port *find(int number)
{
	if (number <= 0 || number >= PORTS || !ports[number].owner)
		return NULL;
	return &ports[number];
}

int port_create(struct process *owner, int number)
{
	int first = number ? number : PORTS_NAMED, last = number ? number : PORTS - 1;

	if (number < 0 || number >= PORTS_NAMED)
		return ERROR_BAD_NUMBER;
	for (int n = first; n <= last; n++) {
		if (ports[n].owner)
			continue;
		ports[n] = (struct port){ .owner = owner->space };
		return n;
	}
	return number ? ERROR_IN_USE : ERROR_NO_MEMORY;
}

int port_put(int number, struct message *m)
{
	struct port *p = find(number);

	if (!p || p->messages == PORT_MESSAGES) {
		if (p)
			port_counts.full++;
		else
			port_counts.no_port++;
		message_give(m);
		return p ? ERROR_FULL : ERROR_BAD_NUMBER;
	}
	m->next = NULL;
	if (p->first)
		p->last->next = m;
	else
		p->first = m;
	p->last = m;
	p->messages++;
	port_counts.sent++;
	wakeup(p);
	return 0;
}

static int header_is_bad(const struct process *p, const struct message_header *h, int rights)
{
	return (uintptr_t)h % _Alignof(struct message_header) ||
	       space_check(p->space, h, sizeof *h, rights);
}

int port_send(struct process *from, int number, const struct message_header *h, const void *data)
{
	struct message *m;

	if (header_is_bad(from, h, MAY_READ))
		return ERROR_BAD_ADDRESS;
	if (h->bytes > MESSAGE_DATA) {
		port_counts.too_long++;
		return ERROR_TOO_LONG;
	}
	if (h->bytes && space_check(from->space, data, h->bytes, MAY_READ))
		return ERROR_BAD_ADDRESS;
	m = message_take();
	if (!m)
		return ERROR_NO_MEMORY;
	m->header = *h;
	if (h->bytes)
		memcpy(m->data, data, h->bytes);
	return port_put(number, m);
}

/* Only its owner's processes receive from a port. */
static struct message *next_message(struct process *self, int number, int wait, int *error)
{
	struct port *p = find(number);
	struct message *m;

	*error = ERROR_BAD_NUMBER;
	while (p && p->owner == self->space && !p->first) {
		*error = wait ? ERROR_ENDED : ERROR_WOULD_WAIT;
		if (!wait || sleep_on(p))
			return NULL;
		p = find(number);
	}
	if (p && p->owner != self->space)
		*error = ERROR_NOT_OURS;
	if (!p || p->owner != self->space)
		return NULL;
	m = p->first;
	p->first = m->next;
	p->messages--;
	return m;
}

int port_receive(struct process *self, int number, struct message_header *h, void *data,
		 uint32_t bytes, int wait)
{
	struct message *m;
	int result = 0;

	if (header_is_bad(self, h, MAY_WRITE))
		return ERROR_BAD_ADDRESS;
	if (bytes && space_check(self->space, data, bytes, MAY_WRITE))
		return ERROR_BAD_ADDRESS;
	m = next_message(self, number, wait, &result);
	if (!m)
		return result;
	if (m->header.bytes > bytes) {
		port_counts.too_long++;
		m->header.bytes = bytes;
	}
	*h = m->header;
	if (h->bytes)
		memcpy(data, m->data + m->start, h->bytes);
	message_give(m);
	port_counts.received++;
	return (int)h->bytes;
}

int port_offer(struct process *self, int number, const void *start)
{
	struct port *p = find(number);
	struct memory *m = space_memory(self->space, start);

	if (!p)
		return ERROR_BAD_NUMBER;
	if (p->owner != self->space)
		return ERROR_NOT_OURS;
	if (!m)
		return ERROR_BAD_ADDRESS;
	p->offered = m;
	return 0;
}

void *port_map(struct process *self, int number)
{
	struct port *p = find(number);

	return p && p->offered ? space_map(self->space, p->offered) : NULL;
}

void port_owner_ended(struct space *s)
{
	for (struct port *p = ports; p < ports + PORTS; p++) {
		if (p->owner != s)
			continue;
		while (p->first) {
			struct message *m = p->first;

			p->first = m->next;
			port_counts.discarded++;
			message_give(m);
		}
		p->owner = NULL;
		wakeup(p);
	}
}
