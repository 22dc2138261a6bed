/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path of a call without data (docs/explanation/fastpath.md): its view of frames. */
#pragma once

#include "protocols/chan/chan_private.h"
#include "protocols/mselect/mselect_private.h"
#include "xkernel/checksum.h"
#include "xkernel/path_id.h"

#if XK_FAST

_Static_assert(!XK_MP, "the fast path is for one processor");

/* Words of a received frame, the first with two bytes that are not its own: what each ends with. */
enum rpc_word {
	STATION,
	SOURCE_TYPE,
	LENGTH,
	SOURCE,
	BLAST_UPPER,
	BLAST_BYTES,
	BLAST_MASK,
	BID_SOURCE,
	BID_UPPER,
	CHAN_UPPER,
	CHAN_BYTES,
	STATUS,
};

/* IP's fields that all frames of a channel have alike. */
#define IP_FIXED 0xff3f0000ffff00ff /* version, header's length, length, no fragment */
#define PROTOCOL_SOURCE 0xffffffff0000ff00

extern const struct xobj_ops mselect_fast_ops; /* its demux stands before ETH's */

typedef uint64_t __attribute__((may_alias)) rpc_quad;

/* With XK_FAST_TABLE: the shared code of a channel's ways, and its entry. */
extern const chan_fast_up mselect_fast_shared_up;
extern const chan_fast_down mselect_fast_shared_down;
void mselect_fast_enter(struct xobj *channel);

/* 0: not this channel, or not now. */
int mselect_fast_begin(struct xobj *session, struct xobj *channel, int is_client);

/* Are the boot ids of the frames the ones that BID has? */
static inline int mselect_fast_ready(const struct chan_fast *f)
{
	return f->ready && f->ids == *(const rpc_quad *)f->bid_ids;
}

/* The general way of a call that turned out to be unusual when it was under way already: its reply
 * came this way; the user's answer goes this way. */
int mselect_fast_take(struct xobj *session, struct msg *reply);
void mselect_fast_answer(struct xobj *session, int result, struct msg *reply, uint32_t sequence);

/* A server's next request. */
static inline void mselect_fast_expect(struct chan_end *e)
{
	struct chan_fast *f = &e->fast;

	f->sequence = e->sequence + 1;
	f->expected[CHAN_BYTES] =
	    (f->expected[CHAN_BYTES] & 0xffffffff00000000) | swap32(f->sequence);
}

/* chan_arm(), with the time that the channel keeps. */
static inline void mselect_fast_arm(struct xobj *s, void (*function)(void *session), uint64_t us)
{
	struct chan_end *e = s->state;

	if (XK_FAST_TIMER) {
		e->wait = us;
		chan_arm_ticks(s, function, e->fast.wait);
	} else {
		chan_arm(s, function, us);
	}
}

/* The frame, with this sequence as on the wire. */
int mselect_fast_send(struct chan_fast *f, uint64_t sequence);

#endif
