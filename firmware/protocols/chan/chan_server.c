/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: the server's end. */
#include "protocols/chan/chan_private.h"

/* The reply is acknowledged, by whatever is newer. */
static void become_idle(struct xobj *session)
{
	struct chan_end *e = session->state;

	chan_disarm(e);
	chan_drop_kept(session);
	e->state = CHAN_IDLE;
}

void chan_server_reset(struct xobj *session)
{
	struct chan_end *e = session->state;

	chan_counts.zombies++;
	if (e->state == CHAN_WAIT)
		become_idle(session);
	e->gone = CHAN_ZOMBIE;
	chan_fast_forget(session);
	if (!ref_read(&session->refs))
		chan_bury(session);
}

/* The reply is not acknowledged: ask for it. In the end it is kept, in silence. */
static void ask_for_ack(void *arg)
{
	struct xobj *session = arg;
	struct chan_end *e = session->state;

	if (e->gone || e->state != CHAN_WAIT)
		return;
	if (e->tries++ >= CHAN_WAIT_TRIES)
		return;
	chan_arm(session, ask_for_ack, CHAN_WAIT_MAX_US);
	chan_send_kept(session, CHAN_ACK_REQUESTED, 0);
}

static int execute(struct xobj *session, struct msg *m, uint32_t sequence)
{
	struct chan_end *e = session->state;
	struct msg reply;
	int result;

	e->sequence = sequence;
	e->state = CHAN_EXECUTE;
	chan_counts.executed++;
	msg_init_empty(&reply);
	xCallDemux(session, m, &reply); /* if it fails the reply is empty */
	if (PREDICT_FALSE(e->gone || e->sequence != sequence)) {
		chan_counts.unwanted++;
		msg_destroy(&reply);
		return XK_OK;
	}
	msg_share(&e->kept, &reply);
	e->tries = 0;
	e->state = CHAN_WAIT; /* before the push: the next request may be here before it returns */
	result = chan_send(session, &reply, CHAN_USER_MSG, sequence);
	msg_destroy(&reply);
	if (PREDICT_FALSE(result > 0))
		chan_note_handle(session, sequence, result);
	if (PREDICT_TRUE(e->state == CHAN_WAIT && e->sequence == sequence && !e->gone))
		chan_arm(session, ask_for_ack, CHAN_WAIT_US);
	return XK_OK;
}

/* The sequence we know. */
static int repeated(struct xobj *session, uint32_t flags)
{
	struct chan_end *e = session->state;

	chan_counts.duplicates++;
	if (e->state == CHAN_EXECUTE && (flags & CHAN_ACK_REQUESTED)) {
		chan_counts.acks_sent++;
		chan_send_header(session, 0, e->sequence);
	}
	if (e->state == CHAN_WAIT &&
	    (flags & (CHAN_USER_MSG | CHAN_ACK_REQUESTED | CHAN_NEGATIVE_ACK))) {
		chan_counts.replies_again++;
		chan_send_kept(session, 0, 1);
	}
	return XK_OK;
}

int chan_server_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	struct chan_end *e = session->state;
	const struct chan_header *h = header;
	uint32_t flags = h->channel_flags & CHAN_FLAGS, sequence = swap32(h->sequence);
	int32_t age = (int32_t)(sequence - e->sequence);

	if (PREDICT_FALSE(age < 0)) {
		chan_counts.old_sequence++;
		return XK_OK;
	}
	if (PREDICT_FALSE(age == 0))
		return repeated(session, flags);
	if (e->state == CHAN_WAIT)
		become_idle(session);
	if (PREDICT_TRUE(flags & CHAN_USER_MSG))
		return execute(session, m, sequence);
	if (flags & CHAN_ACK_REQUESTED) {
		chan_counts.nacks_sent++;
		chan_send_header(session, CHAN_NEGATIVE_ACK, sequence);
	}
	return XK_OK;
}

#if XK_FAST
void chan_ask_for_ack(void *session)
{
	ask_for_ack(session);
}
#endif
