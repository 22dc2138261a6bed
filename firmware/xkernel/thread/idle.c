/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/thread/idle.h"

static int visit(struct idle_collector *c, struct xobj *session, int recent_too)
{
	if (ref_read(&session->refs) || (session->used && !recent_too)) {
		session->used = 0;
		return MAP_CONTINUE;
	}
	c->destroy(session);
	return MAP_CONTINUE | MAP_REMOVE;
}

static int visit_idle(const uint64_t *key, void *value, void *arg)
{
	return visit(arg, value, 0);
}

static int visit_unreferenced(const uint64_t *key, void *value, void *arg)
{
	return visit(arg, value, 1);
}

static void collect(void *arg)
{
	struct idle_collector *c = arg;

	map_for_each(c->sessions, visit_idle, c);
	event_schedule(&c->event, collect, c, IDLE_PERIOD_US);
}

void idle_start(struct idle_collector *c, struct map *sessions, void (*destroy)(struct xobj *))
{
	c->sessions = sessions;
	c->destroy = destroy;
	event_schedule(&c->event, collect, c, IDLE_PERIOD_US);
}

int idle_make_room(struct idle_collector *c)
{
	if (c->sessions->entries < IDLE_MAX_SESSIONS)
		return 1;
	map_for_each(c->sessions, visit_unreferenced, c);
	return c->sessions->entries < IDLE_MAX_SESSIONS;
}
