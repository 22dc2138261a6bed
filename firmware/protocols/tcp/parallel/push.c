/* SPDX-License-Identifier: BSD-2-Clause */
/* Parallel TCP: data from the user, in the place of tcp_push.c. A message is taken whole or not at
 * all: who finds no room comes again, instead of sleeping. */
#include "platform/marker.h"
#include "protocols/tcp/output/tcp_output.h"

/* Under the send lock. */
static int append(struct tcp *t, struct msg *m)
{
	int failed;

	if (PREDICT_FALSE(t->state != TCP_ESTABLISHED && t->state != TCP_CLOSE_WAIT))
		return t->state == TCP_CLOSED ? XK_RESET : XK_ERROR;
	if (PREDICT_FALSE(t->queue.bytes + msg_bytes(m) > t->queue.limit))
		return XK_WOULD_BLOCK;
	tcp_lock_queue(t);
	failed = tcp_queue_append(&t->queue, m);
	tcp_unlock_queue(t);
	return failed ? XK_NO_MEMORY : XK_OK;
}

#if XK_MP_TCP_LOCKS == 1
int tcp_push(struct xobj *s, struct msg *m)
{
	int result;

	TCP_BEGIN(s);
	result = append(s->state, m);
	if (PREDICT_TRUE(result == XK_OK))
		tcp_output(s);
	TCP_END;
	return result;
}
#else
__attribute__((noinline)) static void lock_half(struct tcp *t, int which)
{
	MARK(MARK_OPEN, WINDOW_SPIN);
	TCP_LOCK(t, which);
	MARK(MARK_CLOSE, WINDOW_SPIN);
	MARK(MARK_OPEN, WINDOW_HOLD);
}

__attribute__((noinline)) static void unlock_half(struct tcp *t, int which)
{
	TCP_UNLOCK(t, which);
	MARK(MARK_CLOSE, WINDOW_HOLD);
}

/* The send lock for what goes, the receive lock for window and ACK of its header. */
int tcp_push(struct xobj *s, struct msg *m)
{
	struct tcp *t = s->state;
	struct tcp_piece piece;
	int result, there;

	lock_half(t, TCP_LOCK_SEND);
	result = append(t, m);
	while (PREDICT_TRUE(result == XK_OK)) {
		there = tcp_take_piece(t, &piece);
		unlock_half(t, TCP_LOCK_SEND);
		if (!there)
			return XK_OK;
		lock_half(t, TCP_LOCK_RECEIVE);
		tcp_head_piece(t, &piece);
		unlock_half(t, TCP_LOCK_RECEIVE);
		tcp_send_piece(s, &piece);
		if (!piece.more)
			return XK_OK;
		lock_half(t, TCP_LOCK_SEND);
	}
	unlock_half(t, TCP_LOCK_SEND);
	return result;
}
#endif
