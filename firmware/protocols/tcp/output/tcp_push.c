/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: data from the user. */
#include "protocols/tcp/output/tcp_output.h"

static int may_send(const struct tcp *t)
{
	return t->state == TCP_ESTABLISHED || t->state == TCP_CLOSE_WAIT;
}

/* Takes what fits from the front of m. */
static int take(struct xobj *s, struct msg *m, uint32_t room)
{
	struct tcp *t = s->state;
	struct msg part;
	int failed;

	if (msg_bytes(m) <= room) {
		failed = tcp_queue_append(&t->queue, m);
		if (!failed)
			msg_discard(m, msg_bytes(m));
	} else {
		msg_share(&part, m);
		msg_truncate(&part, room);
		failed = tcp_queue_append(&t->queue, &part);
		msg_destroy(&part);
		if (!failed)
			msg_discard(m, room);
	}
	if (PREDICT_FALSE(failed))
		return XK_NO_MEMORY;
	tcp_output(s);
	return XK_OK;
}

int tcp_push(struct xobj *s, struct msg *m)
{
	struct tcp *t = s->state;

	while (msg_bytes(m)) {
		int result;

		if (PREDICT_FALSE(!may_send(t)))
			return t->state == TCP_CLOSED ? XK_RESET : XK_ERROR;
		if (PREDICT_FALSE(t->queue.bytes >= t->queue.limit)) {
			t->waiting_room++;
			if (sem_wait(&t->room)) {
				t->waiting_room--;
				return XK_NO_MEMORY;
			}
			continue;
		}
		result = take(s, m, t->queue.limit - t->queue.bytes);
		if (PREDICT_FALSE(result != XK_OK))
			return result;
	}
	return XK_OK;
}
