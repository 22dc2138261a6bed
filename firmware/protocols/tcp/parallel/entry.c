/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/output/tcp_output.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/thread/event.h"

struct tcp_arrivals tcp_arrivals PER_CPU;

static void arrives(const struct tcp *t, struct tcp_segment *g)
{
	if (!g->bytes || t->state < TCP_ESTABLISHED)
		return;
	COUNT(tcp_arrivals, data);
	if (g->sequence == t->receive_next)
		return;
	COUNT(tcp_arrivals, disordered);
	if (XK_MP_ASSUME_ORDER)
		g->sequence = t->receive_next;
}

int tcp_locked_pop(struct xobj *s, struct xobj *lower, struct msg *m, void *header)
{
	const struct tcp *t = s->state;

	TCP_BEGIN(s);
	/* Closed: it has been found in the map before it left it, or is not yet ready. */
	if (PREDICT_TRUE(t->state != TCP_CLOSED)) {
		arrives(t, header);
		tcp_pop(s, lower, m, header);
	}
	TCP_END;
	return XK_OK;
}

int tcp_locked_control(struct xobj *s, int op, void *buffer, size_t bytes)
{
	int result;

	if (op < TCP_SET_RECEIVE_SPACE || op > TCP_SET_KEEPALIVE)
		return op == XK_GET_MAX_PACKET || op == XK_GET_OPT_PACKET
			   ? tcp_control(s, op, buffer, bytes)
			   : xControl(s->down[0], op, buffer, bytes);
	TCP_BEGIN(s);
	result = tcp_control(s, op, buffer, bytes);
	TCP_END;
	return result;
}

/* At each fall of refs to 0, as tcp_close. */
void tcp_locked_close(struct xobj *s)
{
	struct tcp *t = s->state;

	xDuplicate(s);
	TCP_BEGIN(s);
	if (t->state != TCP_CLOSED && !t->user_closed) {
		t->user_closed = 1;
		if (t->state == TCP_SYN_SENT)
			tcp_drop(s, XK_CLOSE_DONE);
		else
			tcp_shutdown(s);
		if (t->state == TCP_FIN_WAIT_2)
			t->timer[TCP_WAIT] = TCP_FIN_WAIT_2_MAX;
	}
	TCP_END;
	if (ref_down(&s->refs) == 0 && t->state == TCP_CLOSED) {
		xClose(s->down[0]);
		xDestroy(s);
	}
}

/* The peer's answer comes up on another processor, or within the push of our SYN. */
static int is_decided(struct xobj *s, int *result)
{
	struct tcp *t = s->state;
	int decided;

	tcp_lock_state(t);
	decided = !t->waiting_open;
	*result = t->open_result;
	tcp_unlock_state(t);
	return decided;
}

int tcp_connect(struct xobj *s)
{
	struct tcp *t = s->state;
	int result;

	TCP_BEGIN(s);
	t->waiting_open = 1;
	tcp_output(s);
	TCP_END;
	while (!is_decided(s, &result)) /* at last the timer decides */
		event_turn();
	return result;
}

struct collected {
	struct xobj **session;
	size_t number, room;
};

static int collect(const uint64_t *key, void *value, void *arg)
{
	struct collected *c = arg;

	if (c->number == c->room)
		return 0;
	c->session[c->number++] = xDuplicate(value);
	return MAP_CONTINUE;
}

void tcp_for_each(struct tcp_protocol *p, int (*visit)(const uint64_t *, void *, void *), void *arg)
{
	struct collected c = { NULL, 0, atomic_read(&p->active.entries) };

	if (!c.room)
		return;
	c.session = xk_allocate(c.room * sizeof *c.session);
	if (!c.session) {
		COUNT(tcp_counts, no_memory);
		return; /* until the next tick */
	}
	map_for_each(&p->active, collect, &c);
	for (size_t i = 0; i < c.number; i++) {
		struct xobj *s = c.session[i];

		visit(&((struct tcp *)s->state)->key, s, arg);
		xClose(s);
	}
	xk_free(c.session);
}
