/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/right_edge.h"

#include <stdlib.h>

#include "xkernel/byteorder.h"

/* A connection's: up to where the user has ever allowed. */
struct edge {
	struct xobj *session;
	uint64_t key;
	uint32_t initial, allowed; /* sequence numbers of the peer's */
	int seen;
};

static struct edge *edges;
static size_t count, room, last;

/* They are looked for in the order in which they stand, most of the time. */
static struct edge *find(const struct xobj *session)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = (last + i) % count;

		if (edges[at].session == session) {
			last = at + 1;
			return &edges[at];
		}
	}
	return NULL;
}

static void allow(struct edge *e, uint32_t edge)
{
	if (seq_lt(e->allowed, edge))
		e->allowed = edge;
}

void right_edge_allow(const struct xobj *session, uint32_t bytes)
{
	const struct tcp *t = session->state;
	struct edge *e = find(session);

	if (e)
		allow(e, t->receive_next + smaller(bytes, t->receive_size));
}

static int control(struct xobj *s, int op, void *buffer, size_t bytes)
{
	if (op == TCP_SET_RECEIVE_SPACE && bytes >= sizeof(uint32_t))
		right_edge_allow(s, *(const uint32_t *)buffer);
	return tcp_session_ops.control(s, op, buffer, bytes);
}

/* The peer's FIN has a number too, and needs no room. */
static uint32_t fin_of(const struct tcp *t)
{
	return t->state == TCP_CLOSE_WAIT || t->state == TCP_CLOSING || t->state == TCP_LAST_ACK ||
	       t->state == TCP_TIME_WAIT;
}

static struct edge *edge_of(struct xobj *session)
{
	static struct xobj_ops heard;
	const struct tcp *t = session->state;
	struct edge *e = find(session);

	if (e && e->key == t->key && e->initial == t->receive_initial)
		return e;
	if (!e) {
		if (count == room)
			edges = realloc(edges, (room = 2 * room + 64) * sizeof *edges);
		e = &edges[count++];
	}
	*e = (struct edge){ session, t->key, t->receive_initial, t->receive_next + t->receive_space,
			    0 };
	heard = tcp_session_ops;
	heard.control = control;
	session->ops = &heard;
	return e;
}

void right_edge_begin(void)
{
	for (size_t i = 0; i < count; i++)
		edges[i].seen = 0;
}

const char *right_edge_fault(struct xobj *session)
{
	const struct tcp *t = session->state;
	struct edge *e;

	if (t->state <= TCP_SYN_SENT)
		return NULL;
	e = edge_of(session);
	e->seen = 1;
	if (seq_lt(e->allowed + fin_of(t), t->receive_next))
		return "more has come than the user has ever allowed";
	if (seq_lt(e->allowed + fin_of(t), t->receive_advertised))
		return "more is offered than the user has ever allowed";
	allow(e, t->receive_next + t->receive_space); /* by a path that knows TCP's control */
	return NULL;
}

void right_edge_end(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (edges[i].seen)
			edges[kept++] = edges[i];
	count = kept;
}

static uint32_t long_at(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

const char *right_edge_of_frame(const uint8_t *ip)
{
	const uint8_t *b = ip + 20;
	uint32_t remote = swap32(long_at(ip + 16)), ports = swap32(long_at(b));
	uint64_t key = tcp_key(remote, ports >> 16 | ports << 16);
	uint32_t ack = long_at(b + 8), window = ((uint32_t)b[14] << 8 | b[15]) << TCP_WINDOW_SHIFT;

	if (!(b[13] & TCP_ACK) || (b[13] & TCP_RST))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		const struct edge *e = &edges[i];
		/* Its window may be that of an earlier connection of the same name. */
		if (e->key == key && ack - e->initial - 1 <= e->allowed - e->initial &&
		    seq_lt(e->allowed + 1, ack + window))
			return "a segment offers more than the user has ever allowed";
	}
	return NULL;
}
