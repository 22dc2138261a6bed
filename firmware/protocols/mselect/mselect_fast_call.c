/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path of a call without data, out: a request on a free channel, and the frames of both
 * ends, from a channel's template. All else goes the general way. */
#include "protocols/blast/blast_private.h"
#include "protocols/ip/ip_private.h"
#include "protocols/lance/lance.h"
#include "protocols/mselect/mselect_fast.h"
#include "protocols/vchan/vchan_private.h"

#if XK_FAST

int mselect_fast_send(struct chan_fast *f, uint64_t sequence)
{
	uint64_t *w = f->frame, ident = swap16(*f->ident);
	uint64_t check = checksum_fold(f->ip_sum + ident);

	*f->ident = (*f->ident + 1) & 0xffff;
	w[2] = (w[2] & ~((uint64_t)0xffff << 16)) | ident << 16;
	w[3] = (w[3] & ~(uint64_t)0xffff) | check;
	w[9] = (w[9] & ~((uint64_t)0xffff << 48)) | sequence << 48;
	w[10] = (w[10] & ~(uint64_t)0xffff) | sequence >> 16;
	ip_counts.sent++;
	blast_counts.sent++;
	return lance_push_call(f->driver, w);
}

/* The channel used last, if it is free and the call may take it; nobody else waits for one. */
static inline struct xobj *channel_of(struct xobj *session, const struct vchan_session *v)
{
	struct xobj *channel;
	const struct chan_end *e;

	if (v->available.count <= 0)
		return NULL;
	channel = v->channel[v->free - 1];
	e = channel->state;
	if (PREDICT_FALSE(!mselect_fast_ready(&e->fast)) &&
	    !mselect_fast_begin(session, channel, 1))
		return NULL;
	return e->state == CHAN_FREE ? channel : NULL;
}

static inline int is_empty(const struct msg *m)
{
	return m->front && !msg_bytes(m) && m->head - m->low >= MSELECT_HEADER_BYTES &&
	       ref_read(&m->front->refs) == 1;
}

/* Until it is answered: the request as CHAN would have it from MSELECT. */
static inline void keep(struct xobj *session, struct chan_end *e, struct msg *m)
{
	struct mselect_header *h = (struct mselect_header *)(m->head -= MSELECT_HEADER_BYTES);

	h->id = ((const struct mselect_session *)session->state)->id;
	h->status = 0;
	ref_up(&m->front->refs);
	e->kept.front = m->front;
	e->kept.head = e->kept.low = m->head;
	e->kept.tail = m->tail;
}

/* chan_call() up to the wait. */
static inline void send(struct xobj *channel, struct chan_end *e, struct msg *m, struct msg *reply)
{
	struct chan_fast *f = &e->fast;
	uint32_t sequence = ++e->sequence, on_wire = swap32(sequence);

	e->reply = reply;
	e->tries = 0;
	e->state = CHAN_CALLING;
	chan_counts.calls++;
	f->heard = 0;
	f->sequence = sequence;
	f->expected[CHAN_BYTES] = (f->expected[CHAN_BYTES] & 0xffffffff00000000) | on_wire;
	if (!XK_FAST_TABLE)
		chan_fast_session = channel;
	/* A full transmit ring is a loss like any other. */
	if (XK_FAST_OUT)
		mselect_fast_send(f, on_wire);
	else
		chan_send(channel, m, CHAN_FROM_CLIENT | CHAN_USER_MSG, sequence);
	mselect_fast_arm(channel, chan_ask_again, CHAN_ASK_US);
}

static inline void put_back(struct xobj *session, struct vchan_session *v, struct xobj *channel)
{
	if (PREDICT_FALSE(v->total > v->wanted || v->available.count < 0)) {
		vchan_put_back(session, channel);
		return;
	}
	v->channel[v->free++] = channel;
	v->available.count++;
}

/* A call on a free channel, v's uppermost. */
static inline int call(struct xobj *session, struct vchan_session *v, struct xobj *channel,
		       struct msg *m, struct msg *reply)
{
	struct chan_end *e;
	uint64_t heard;
	int result;

	v->available.count--;
	v->free--;
	e = channel->state;
	keep(session, e, m);
	send(channel, e, m, reply);
	result = chan_await(channel);
	heard = e->fast.heard;
	put_back(session->down[0], v, channel);
	if (PREDICT_FALSE(result < 0))
		return result;
	return PREDICT_TRUE(heard) ? XK_OK : mselect_fast_take(session, reply);
}

#if XK_FAST_TABLE
static int mselect_fast_down(struct xobj *channel, struct msg *m, struct msg *reply)
{
	struct xobj *session = ((const struct chan_end *)channel->state)->fast.user;

	return call(session, session->down[0]->state, channel, m, reply);
}

const chan_fast_down mselect_fast_shared_down = mselect_fast_down;

/* The way down of a channel, which has one user. */
static inline int go(struct xobj *session, struct vchan_session *v, struct xobj *channel,
		     struct msg *m, struct msg *reply)
{
	return ((const struct chan_end *)channel->state)->fast.down(channel, m, reply);
}
#else
#define go call
#endif

int mselect_fast_call(struct xobj *session, struct msg *m, struct msg *reply)
{
	struct vchan_session *v = session->down[0]->state;
	struct xobj *channel = is_empty(m) ? channel_of(session, v) : NULL;

	if (PREDICT_FALSE(!channel))
		return mselect_call(session, m, reply);
	return go(session, v, channel, m, reply);
}

#endif
