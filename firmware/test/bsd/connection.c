/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/bsd/connection.h"

#include "bsd/tcp/tcp_var.h"
#include "test/bsd/sessions.h"

enum { FIN_FOLLOWS = 0x100 }; /* of an early segment's flags: tcp_reass.c */

static uint32_t text_in(const struct socket_buffer *sb)
{
	uint32_t bytes = 0;

	for (const struct mbuf *m = sb->first; m; m = m->next)
		bytes += m->bytes;
	return bytes;
}

static void look_at_early(struct connection *c, const struct tcpcb *t)
{
	c->early_count = t->early_count;
	c->early_seen = 0;
	for (const struct mbuf *m = t->early; m && c->early_seen < EARLY_LOOKED_AT;
	     m = m->next_packet) {
		uint32_t bytes = 0;

		for (const struct mbuf *n = m; n; n = n->next)
			bytes += n->bytes;
		c->early[c->early_seen].sequence = m->offset;
		c->early[c->early_seen].bytes = bytes;
		c->early[c->early_seen++].fin = (m->flags & FIN_FOLLOWS) != 0;
	}
}

static int look(struct connection *c, const struct inpcb *p)
{
	const struct tcpcb *t = tcpcb_of(p);
	struct socket *so = p->socket;

	*c = (struct connection){
		.id = t,
		.socket = so,
		.session = session_of_socket(so),
		.key = (uint64_t)p->foreign_host << 32 | (uint32_t)p->local_port << 16 |
		       p->foreign_port,
		.state = t->state,
		.ack_delayed = (t->flags & TF_ACK_DELAYED) != 0,
		.fin_sent = (t->flags & TF_FIN_SENT) != 0,
		.user_closed = so->state & SOCKET_NO_USER && !so->head,
		.passive = so->head && t->state == TCPS_SYN_RECEIVED,
		.send_una = t->send_una,
		.send_next = t->send_next,
		.send_max = t->send_max,
		.send_window = t->send_window,
		.segment_max = t->segment_max,
		.receive_initial = t->receive_initial,
		.receive_next = t->receive_next,
		.receive_advertised = t->receive_advertised,
		.receive_space = sbspace(&so->receive),
		.receive_size = so->receive.bytes_limit,
		.queued = so->send.bytes,
		.queue_limit = so->send.bytes_limit,
	};
	for (int i = 0; i < TIMERS; i++)
		c->timer[i] = t->timer[i];
	if (text_in(&so->send) != so->send.bytes || text_in(&so->receive) != so->receive.bytes)
		c->queued = UINT32_MAX; /* the invariants will see that */
	look_at_early(c, t);
	return 1;
}

int connection_next(struct connection *c, void **place)
{
	struct inpcb *p = *place ? ((struct inpcb *)*place)->next : tcb.first;

	while (p && tcpcb_of(p)->state <= TCPS_LISTEN)
		p = p->next;
	*place = p;
	return p && look(c, p);
}

int connection_of_socket(struct connection *c, void *socket)
{
	const struct socket *so = socket;

	return so->pcb && look(c, so->pcb);
}

uint32_t connections_half_open(void)
{
	uint32_t count = 0;

	for (const struct inpcb *p = tcb.first; p; p = p->next)
		if (p->socket->options & SOCKET_ACCEPTS)
			count += p->socket->incomplete_count;
	return count;
}

void connection_abort(void *socket)
{
	soabort(socket);
}

uint32_t connection_first_byte(const void *socket)
{
	return tcpcb_of_socket(socket)->receive_initial + 1;
}
