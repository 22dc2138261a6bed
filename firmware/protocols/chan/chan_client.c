/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: the client's end. */
#include "platform/marker.h"
#include "protocols/chan/chan_private.h"

/* The path is left here and entered again: the switch between is nobody's protocol processing. */
static __attribute__((noinline)) int chan_wait(struct semaphore *answered)
{
	int result;

	MARK(MARK_CLOSE, WINDOW_PATH);
	result = sem_wait(answered);
	MARK(MARK_OPEN, WINDOW_PATH);
	return result;
}

/* The call is over; its thread is told by the semaphore. */
static void finish(struct xobj *session, int result)
{
	struct chan_end *e = session->state;

	chan_disarm(e);
	chan_drop_kept(session);
	e->result = result;
	e->state = CHAN_FREE;
	e->reply = NULL;
	sem_signal(&e->answered);
}

void chan_client_reset(struct xobj *session)
{
	const struct chan_end *e = session->state;

	if (e->state != CHAN_CALLING)
		return;
	chan_counts.reset++;
	finish(session, XK_RESET);
}

/* No answer in time: the same again, and please say something. */
static void ask_again(void *arg)
{
	struct xobj *session = arg;
	struct chan_end *e = session->state;

	if (e->gone || e->state != CHAN_CALLING)
		return;
	if (++e->tries > e->tries_limit) {
		chan_counts.timed_out++;
		finish(session, XK_TIMED_OUT);
		return;
	}
	chan_counts.asked++;
	chan_arm(session, ask_again, e->wait * 2 < CHAN_ASK_MAX_US ? e->wait * 2 : CHAN_ASK_MAX_US);
	chan_send_kept(session, CHAN_FROM_CLIENT | CHAN_ACK_REQUESTED, 0);
}

int chan_call(struct xobj *session, struct msg *m, struct msg *reply)
{
	struct chan_end *e = session->state;
	uint32_t sequence;
	int result;

	if (PREDICT_FALSE(e->state != CHAN_FREE))
		return XK_ERROR; /* one call at a time */
	msg_share(&e->kept, m);
	sequence = ++e->sequence;
	e->reply = reply;
	e->tries = 0;
	/* Before the push: the answer may be here before it returns. */
	e->state = CHAN_CALLING;
	chan_counts.calls++;
	result = chan_send(session, m, CHAN_FROM_CLIENT | CHAN_USER_MSG, sequence);
	if (PREDICT_FALSE(result > 0))
		chan_note_handle(session, sequence, result);
	if (PREDICT_TRUE(e->state == CHAN_CALLING)) {
		/* A full transmit ring is a loss like any other. */
		if (PREDICT_FALSE(result < 0 && result != XK_WOULD_BLOCK))
			finish(session, result);
		else
			chan_arm(session, ask_again, CHAN_ASK_US);
	}
	if (PREDICT_FALSE(chan_wait(&e->answered))) {
		finish(session, XK_NO_MEMORY);
		chan_wait(&e->answered); /* takes what finish gave */
	}
	return e->result;
}

static void take_reply(struct xobj *session, struct msg *m, uint32_t flags)
{
	struct chan_end *e = session->state;

	msg_share(e->reply, m);
	chan_counts.replies++;
	finish(session, XK_OK);
	if (PREDICT_FALSE(flags & CHAN_ACK_REQUESTED))
		chan_send_header(session, CHAN_FROM_CLIENT, e->sequence + 1);
}

/* Something about the call under way that is not its reply. */
static void take_signal(struct xobj *session, uint32_t flags)
{
	struct chan_end *e = session->state;

	e->tries = 0; /* somebody is there */
	if (flags & CHAN_NEGATIVE_ACK) {
		chan_counts.nacks_received++;
		chan_counts.asked_whole++;
		chan_send_kept(session, CHAN_FROM_CLIENT, 1);
	} else if (flags & CHAN_ACK_REQUESTED) {
		/* The server has replied, but the reply has not come. */
		chan_counts.nacks_sent++;
		chan_send_header(session, CHAN_FROM_CLIENT | CHAN_NEGATIVE_ACK, e->sequence);
	} else {
		chan_counts.acks_received++;
	}
}

int chan_client_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	struct chan_end *e = session->state;
	const struct chan_header *h = header;
	uint32_t flags = h->channel_flags & CHAN_FLAGS, sequence = swap32(h->sequence);

	if (PREDICT_TRUE(sequence == e->sequence && e->state == CHAN_CALLING)) {
		if (PREDICT_TRUE(flags & CHAN_USER_MSG))
			take_reply(session, m, flags);
		else
			take_signal(session, flags);
		return XK_OK;
	}
	if (sequence == e->sequence)
		chan_counts.late_replies++;
	else
		chan_counts.old_sequence++;
	/* Nothing under way: what is newer than the last call acknowledges its reply. */
	if (e->state == CHAN_FREE && (flags & CHAN_ACK_REQUESTED)) {
		chan_counts.acks_sent++;
		chan_send_header(session, CHAN_FROM_CLIENT, e->sequence + 1);
	}
	return XK_OK;
}

#if XK_FAST
/* Waits for the reply; the end of chan_call(). */
int chan_await(struct xobj *session)
{
	struct chan_end *e = session->state;

	if (PREDICT_FALSE(chan_wait(&e->answered))) {
		finish(session, XK_NO_MEMORY);
		chan_wait(&e->answered);
	}
	return e->result;
}

void chan_ask_again(void *session)
{
	ask_again(session);
}
#endif
