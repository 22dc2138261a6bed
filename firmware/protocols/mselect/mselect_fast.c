/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path of a call without data, in: the reply that a client waits for, or the request that
 * follows, from ETH to MSELECT's user. One guard looks at every field of the six headers and at the
 * channel; whatever is not as expected goes the general way, untouched. */
#include "protocols/mselect/mselect_fast.h"

#include "protocols/blast/blast_private.h"
#include "protocols/eth/eth_private.h"
#include "protocols/ip/ip_private.h"
#include "protocols/lance/lance.h"

#if XK_FAST

static inline int is_expected(const struct chan_fast *f, const rpc_quad *w)
{
	const uint64_t *x = f->expected;
	uint64_t odd = 0;

	if (PATH_UNKNOWN(w[STATION], f->path)) {
		odd = (w[STATION] ^ x[STATION]) >> 16;
		odd |= w[SOURCE_TYPE] ^ x[SOURCE_TYPE];
		odd |= (w[LENGTH] ^ x[LENGTH]) & IP_FIXED;
		odd |= (w[SOURCE] ^ x[SOURCE]) & PROTOCOL_SOURCE;
		odd |= w[BLAST_UPPER] ^ x[BLAST_UPPER];
		odd |= w[BLAST_BYTES] ^ x[BLAST_BYTES];
		odd |= w[BLAST_MASK] ^ x[BLAST_MASK];
		odd |= w[BID_SOURCE] ^ x[BID_SOURCE];
		odd |= w[BID_UPPER] ^ x[BID_UPPER];
		odd |= w[CHAN_UPPER] ^ x[CHAN_UPPER];
	}
	odd |= w[CHAN_BYTES] ^ x[CHAN_BYTES];
	odd |= w[STATUS] ^ x[STATUS];
	return !odd && (w[SOURCE] & 0xff); /* time to live */
}

static inline int sum_is_right(const rpc_quad *w)
{
	uint64_t sum = (w[LENGTH] & 0xffffffff) + (w[LENGTH] >> 32) + (w[SOURCE] & 0xffffffff) +
		       (w[SOURCE] >> 32) + (w[BLAST_UPPER] & 0xffffffff);

	return checksum_fold(sum) == 0;
}

static inline void count(void)
{
	ip_counts.received++;
	blast_counts.received++;
	blast_counts.short_messages++;
}

/* Frees the message that is kept until this frame, the last answer or the request. */
static inline void drop_kept(struct xobj *s, struct chan_end *e)
{
	struct msg_node *front = e->kept.front;

	chan_disarm(e);
	if (PREDICT_FALSE(e->kept.rest.node || !front || ref_read(&front->refs) == 1)) {
		chan_drop_kept(s);
		return;
	}
	ref_down(&front->refs);
	e->kept.front = NULL;
	e->kept.head = e->kept.tail = e->kept.low = NULL;
}

/* take_reply() of chan_client.c, for a reply that says no more than that. */
static void take_reply(struct xobj *s)
{
	struct chan_end *e = s->state;

	count();
	chan_counts.replies++;
	drop_kept(s, e);
	e->fast.heard = 1;
	e->result = XK_OK;
	e->state = CHAN_FREE;
	e->reply = NULL;
	sem_signal(&e->answered);
}

/* An answer without data: answer() of chan_server.c and of mselect_server.c. */
static inline void answer(struct chan_end *e, uint64_t sequence)
{
	struct chan_fast *f = &e->fast;

	ref_up(&f->reply.front->refs);
	e->kept.front = f->reply.front;
	e->kept.head = e->kept.low = f->reply.head;
	e->kept.tail = f->reply.tail;
	e->tries = 0;
	e->state = CHAN_WAIT;
	mselect_fast_send(f, sequence);
}

static inline int may_answer(const struct chan_end *e, const struct msg *reply, int result,
			     uint32_t sequence)
{
	const struct chan_fast *f = &e->fast;

	if (!XK_FAST_OUT || result < 0 || reply->front != NULL || reply->rest.bytes)
		return 0;
	return !e->gone && e->sequence == sequence && mselect_fast_ready(f) &&
	       ref_read(&f->reply.front->refs) == 1;
}

/* chan_server_pop() and what it calls. */
static void execute(struct xobj *s, struct msg *m, const rpc_quad *w)
{
	struct chan_end *e = s->state;
	struct chan_fast *f = &e->fast;
	struct xobj *user = f->user;
	uint32_t sequence = f->sequence;
	uint64_t on_wire = w[CHAN_BYTES] & 0xffffffff;
	struct msg reply;
	int result;

	count();
	drop_kept(s, e);
	e->sequence = sequence;
	e->state = CHAN_EXECUTE;
	chan_counts.executed++;
	ref_up(&s->refs);
	ref_up(&user->refs);
	user->used = 1;
	m->head = m->tail;
	m->attribute = NULL;
	msg_init_empty(&reply);
	result = xCallDemux(user, m, &reply);
	if (PREDICT_TRUE(may_answer(e, &reply, result, sequence))) {
		answer(e, on_wire);
		mselect_fast_arm(s, chan_ask_for_ack, CHAN_WAIT_US);
	} else {
		mselect_fast_answer(user, result, &reply, sequence);
	}
	mselect_fast_expect(e);
	xClose(user);
	xClose(s);
}

/* The reply to the call under way, or the request after the one whose answer is kept. */
static inline int is_steady(const struct chan_end *e)
{
	const struct chan_fast *f = &e->fast;

	if (e->handle > 0 || !mselect_fast_ready(f))
		return 0;
	if (e->state == CHAN_CALLING)
		return f->sequence == e->sequence;
	return e->state == CHAN_WAIT && f->sequence == e->sequence + 1;
}

#if XK_FAST_TABLE
/* Takes a frame with the number of the channel s. */
static int mselect_fast_input(struct xobj *s, struct msg *m, struct xobj *self, struct xobj *lower)
{
	const rpc_quad *w = (const rpc_quad *)(m->head - 2);
	struct chan_end *e = s->state;

	if (PREDICT_FALSE(!is_steady(e) || !is_expected(&e->fast, w) || !sum_is_right(w)))
		return eth_demux(self, lower, m);
	if (e->state == CHAN_CALLING)
		take_reply(s);
	else
		execute(s, m, w);
	return XK_OK;
}

const chan_fast_up mselect_fast_shared_up = mselect_fast_input;

static int demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	const rpc_quad *w = (const rpc_quad *)(m->head - 2);
	const struct chan_fast_entry *e;

	if (PREDICT_FALSE(m->rest.bytes || msg_front_bytes(m) != LANCE_CALL_FRAME ||
			  ((uintptr_t)w & 7) || ref_read(&m->front->refs) != 1))
		return eth_demux(self, lower, m);
	e = chan_fast_entry((uint32_t)w[CHAN_UPPER]);
	if (PREDICT_FALSE(!e->session))
		return eth_demux(self, lower, m);
	return e->up(e->session, m, self, lower);
}
#else
static int demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	const rpc_quad *w = (const rpc_quad *)(m->head - 2);
	struct xobj *s = chan_fast_session;
	struct chan_end *e;

	if (PREDICT_FALSE(!s || m->rest.bytes || msg_front_bytes(m) != LANCE_CALL_FRAME ||
			  ((uintptr_t)w & 7) || ref_read(&m->front->refs) != 1))
		return eth_demux(self, lower, m);
	e = s->state;
	if (PREDICT_FALSE(!is_steady(e) || !is_expected(&e->fast, w) || !sum_is_right(w)))
		return eth_demux(self, lower, m);
	if (e->state == CHAN_CALLING)
		take_reply(s);
	else
		execute(s, m, w);
	return XK_OK;
}
#endif

const struct xobj_ops mselect_fast_ops = { XOBJ_DEFAULTS, .demux = demux };

#endif
