/* SPDX-License-Identifier: BSD-2-Clause */
/* Keep-alive: which connections are watched, as TCP asks for it. */
#include "protocols/keepalive/keepalive_private.h"
#include "protocols/tcp/connection/tcp_connection.h"
#include "xkernel/memory/allocate.h"

struct keepalive_counts keepalive_counts;
struct keepalive keepalive;

enum { MAX_SECONDS = 1000000 };

static struct watched **find(const struct xobj *session)
{
	struct watched **link = &keepalive.first;

	while (*link && (*link)->session != session)
		link = &(*link)->next;
	return link;
}

void tcp_keepalive_forget(struct xobj *session)
{
	struct watched **link = find(session), *w = *link;

	if (!w)
		return;
	*link = w->next;
	xk_free(w);
}

int tcp_keepalive_set(struct xobj *session, uint32_t seconds)
{
	struct watched *w = *find(session);

	if (!keepalive.running || ((const struct tcp *)session->state)->state == TCP_CLOSED)
		return XK_ERROR;
	if (!seconds) {
		tcp_keepalive_forget(session);
		return sizeof seconds;
	}
	if (!w) {
		w = xk_allocate_zeroed(sizeof *w);
		if (!w) {
			keepalive_counts.no_memory++;
			return XK_NO_MEMORY;
		}
		w->session = session;
		w->next = keepalive.first;
		keepalive.first = w;
	}
	w->limit = smaller(seconds, MAX_SECONDS) * KEEPALIVE_TICKS;
	return sizeof seconds;
}

void tcp_keepalive_heard(const struct xobj *session)
{
	struct watched *w = *find(session);

	if (w)
		w->idle = w->probes = 0;
}
