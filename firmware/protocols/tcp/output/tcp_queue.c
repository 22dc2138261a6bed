/* SPDX-License-Identifier: BSD-2-Clause */
/* The send queue: what the user has pushed and the peer has not acknowledged. */
#include "protocols/tcp/output/tcp_output.h"
#include "xkernel/memory/allocate.h"

void tcp_queue_init(struct tcp_queue *q)
{
	q->first = NULL;
	q->last = &q->first;
	q->bytes = q->chunks = 0;
	q->limit = TCP_BUFFER_BYTES;
}

static struct tcp_chunk *last_chunk(struct tcp_queue *q)
{
	struct tcp_chunk *c = q->first;

	while (c && c->next)
		c = c->next;
	return c;
}

int tcp_queue_append(struct tcp_queue *q, struct msg *m)
{
	struct tcp_chunk *c;

	if (PREDICT_FALSE(q->chunks >= TCP_MAX_CHUNKS)) {
		/* Many small pushes: joining bounds chunks, and depth makes join copy. */
		if (msg_join(&last_chunk(q)->msg, m))
			return -1;
		q->bytes += (uint32_t)msg_bytes(m);
		return 0;
	}
	c = xk_allocate(sizeof *c);
	if (PREDICT_FALSE(!c))
		return -1;
	msg_share(&c->msg, m);
	c->next = NULL;
	*q->last = c;
	q->last = &c->next;
	q->bytes += (uint32_t)msg_bytes(m);
	q->chunks++;
	return 0;
}

void tcp_queue_drop(struct tcp_queue *q, uint32_t bytes)
{
	bytes = smaller(bytes, q->bytes);
	q->bytes -= bytes;
	while (bytes) {
		struct tcp_chunk *c = q->first;
		uint32_t here = (uint32_t)msg_bytes(&c->msg);

		if (bytes < here) {
			msg_discard(&c->msg, bytes);
			return;
		}
		bytes -= here;
		q->first = c->next;
		if (!q->first)
			q->last = &q->first;
		q->chunks--;
		msg_destroy(&c->msg);
		if (!TCP_OWN_CHUNK(q, c)) /* one in the connection itself is not the heap's */
			xk_free(c);
	}
}

int tcp_queue_share(struct tcp_queue *q, uint32_t from, uint32_t bytes, struct msg *m)
{
	struct tcp_chunk *c = q->first;

	msg_init_empty(m);
	while (c && from >= msg_bytes(&c->msg)) {
		from -= (uint32_t)msg_bytes(&c->msg);
		c = c->next;
	}
	for (; c && bytes; c = c->next) {
		struct msg part;
		int failed = 0;

		msg_share(&part, &c->msg);
		if (from)
			msg_discard(&part, from);
		from = 0;
		msg_truncate(&part, bytes);
		bytes -= (uint32_t)msg_bytes(&part);
		if (!msg_bytes(m)) {
			*m = part;
			continue;
		}
		failed = msg_join(m, &part);
		msg_destroy(&part);
		if (failed) {
			msg_destroy(m);
			return -1;
		}
	}
	return 0;
}

/* Segments that came too early. */
void tcp_early_free(struct tcp *t)
{
	while (t->early) {
		struct tcp_early *e = t->early;

		t->early = e->next;
		msg_destroy(&e->msg);
		xk_free(e);
	}
	t->early_count = 0;
}
