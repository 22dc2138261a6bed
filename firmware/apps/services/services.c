/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/services/services.h"

#include "protocols/keepalive/keepalive.h"
#include "protocols/tcp/tcp.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/event.h"

struct services_counts services_counts;

enum service { ECHO, DISCARD, CHARGEN, QUOTE, SERVICES };
enum { LINE = 74, LINES = 19, FIRST = ' ', PRINTABLE = 95 };

/* Each connection has a thread of its own that pushes: a push may block, and the upcall that
 * brought the bytes must not, or the next one's bytes would overtake them. The window bounds the
 * bytes that wait to go back. */
struct connection {
	struct xobj *session; /* NULL: free, when the worker is at rest too */
	enum service service;
	struct msg waiting; /* echo: has come, has not gone */
	uint32_t line;	    /* chargen: the next one's number */
	uint32_t no_more;   /* from the peer */
	uint32_t dead;
	struct event worker;
};

static struct connection connections[SERVICES_CONNECTIONS];
static struct xobj ports[SERVICES]; /* receivers, so that a session knows its service by `up` */
static struct map active;	    /* session -> connection */

static struct connection *find(struct xobj *session)
{
	uint64_t key = (uint64_t)(uintptr_t)session;

	return map_find(&active, &key);
}

static void restore_space(struct connection *c)
{
	size_t waiting = msg_bytes(&c->waiting);
	uint32_t space = waiting < SERVICES_BUFFER ? SERVICES_BUFFER - (uint32_t)waiting : 0;

	xControl(c->session, TCP_SET_RECEIVE_SPACE, &space, sizeof space);
}

/* Nineteen lines of the rotating pattern of RFC 864. */
static int push_lines(struct connection *c)
{
	struct msg m;
	int result;

	if (msg_init_bytes(&m, LINE * LINES))
		return XK_NO_MEMORY;
	for (uint32_t n = 0; n < LINES; n++) {
		uint8_t *line = m.head + n * LINE;

		for (uint32_t i = 0; i < LINE - 2; i++)
			line[i] = (uint8_t)(FIRST + (c->line + i) % PRINTABLE);
		line[LINE - 2] = '\r';
		line[LINE - 1] = '\n';
		c->line = (c->line + 1) % PRINTABLE;
	}
	result = xPush(c->session, &m);
	msg_destroy(&m);
	return result;
}

static int push_back(struct connection *c)
{
	struct msg m = c->waiting;
	int result;

	msg_init_empty(&c->waiting);
	result = xPush(c->session, &m);
	msg_destroy(&m);
	if (result >= 0)
		restore_space(c);
	return result;
}

/* RFC 865: a line, and it is we who close. */
static int push_quote(struct connection *c)
{
	static const char quote[] = "Every cycle has an owner.\r\n";
	struct msg m;
	int result;

	c->no_more = 1;
	if (msg_init_copy(&m, quote, sizeof quote - 1))
		return XK_NO_MEMORY;
	result = xPush(c->session, &m);
	msg_destroy(&m);
	return result;
}

static void end(struct connection *c)
{
	struct xobj *session = c->session;
	uint64_t key = (uint64_t)(uintptr_t)session;

	map_unbind(&active, &key);
	msg_destroy(&c->waiting);
	c->session = NULL;
	services_counts.ended++;
	xClose(session);
}

static void work(void *arg)
{
	struct connection *c = arg;
	int result = XK_OK;

	while (!c->dead && result >= 0) {
		if (c->service == ECHO && msg_bytes(&c->waiting))
			result = push_back(c);
		else if (c->service == CHARGEN && !c->no_more)
			result = push_lines(c);
		else if (c->service == QUOTE && !c->no_more)
			result = push_quote(c);
		else
			break;
	}
	/* Bytes that were acknowledged and cannot go back are not covered up by a clean close. */
	if (result < 0 && !c->dead)
		xControl(c->session, TCP_ABORT, NULL, 0);
	if (c->dead || c->no_more || result < 0)
		end(c);
}

static void wake(struct connection *c)
{
	if (c->worker.state == EVENT_IDLE)
		event_schedule(&c->worker, work, c, 0);
}

static int services_open_done(struct xobj *self, struct xobj *session, struct xobj *tcp)
{
	uint64_t key = (uint64_t)(uintptr_t)session;
	uint32_t size = SERVICES_BUFFER, seconds = KEEPALIVE_SECONDS;
	struct connection *c = NULL;

	for (int i = 0; i < SERVICES_CONNECTIONS && !c; i++)
		if (!connections[i].session && connections[i].worker.state == EVENT_IDLE &&
		    !connections[i].worker.busy)
			c = &connections[i];
	if (!c || map_bind(&active, &key, c)) {
		services_counts.refused++;
		return XK_ERROR;
	}
	services_counts.accepted++;
	c->session = xDuplicate(session);
	c->service = (enum service)(self - ports);
	c->line = c->no_more = c->dead = 0;
	msg_init_empty(&c->waiting);
	xControl(session, TCP_SET_RECEIVE_SIZE, &size, sizeof size);
	xControl(session, TCP_SET_SEND_SIZE, &size, sizeof size);
	xControl(session, TCP_SET_KEEPALIVE, &seconds, sizeof seconds); /* if the graph has it */
	restore_space(c);
	if (c->service == CHARGEN || c->service == QUOTE)
		wake(c);
	return XK_OK;
}

static int services_demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	struct connection *c = find(session);

	if (!c)
		return XK_ERROR;
	if (c->service != ECHO) {
		restore_space(c);
		return XK_OK;
	}
	if (msg_join(&c->waiting, m)) {
		c->dead = 1; /* TCP has acknowledged these bytes; they cannot be asked for again */
		xControl(session, TCP_ABORT, NULL, 0);
	}
	wake(c);
	return XK_OK;
}

static void services_close_done(struct xobj *self, struct xobj *session, enum xk_close why)
{
	struct connection *c = find(session);

	if (!c)
		return;
	if (why == XK_CLOSE_PEER)
		c->no_more = 1;
	else
		c->dead = 1;
	wake(c);
}

static const struct xobj_ops port_ops = {
	XOBJ_DEFAULTS,
	.open_done = services_open_done,
	.demux = services_demux,
	.close_done = services_close_done,
};

int services_init(struct xobj *self)
{
	static const uint16_t numbers[SERVICES] = {
		[ECHO] = 7,
		[DISCARD] = 9,
		[CHARGEN] = 19,
		[QUOTE] = 17,
	};

	if (map_init(&active, 64, 1))
		return XK_NO_MEMORY;
	for (int i = 0; i < SERVICES; i++) {
		struct part parts[2];
		int result;

		ports[i].ops = &port_ops;
		ports[i].protocol = &ports[i];
		ports[i].name = self->name;
		parts_init(parts);
		part_push(&parts[1], &numbers[i], sizeof numbers[i]);
		result = xOpenEnable(&ports[i], self, self->down[0], parts);
		if (result < 0)
			return result;
	}
	return XK_OK;
}
