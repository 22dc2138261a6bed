/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path of a call without data: what a channel keeps of it, and where ETH finds it. */
#include "protocols/bid/bid_private.h"
#include "protocols/blast/blast_private.h"
#include "protocols/eth/eth_private.h"
#include "protocols/ip/ip_private.h"
#include "protocols/lance/lance.h"
#include "protocols/mselect/mselect_fast.h"
#include "xkernel/memory/memory.h"

#if XK_FAST

enum {
	WITH_CHAN = CHAN_HEADER_BYTES + MSELECT_HEADER_BYTES,
	WITH_BLAST = BLAST_HEADER_BYTES + BID_HEADER_BYTES + WITH_CHAN,
	WITH_IP = IP_HEADER_BYTES + WITH_BLAST,
	FRAME_OFFSET = 2, /* of a received frame in its first quadword */
};
_Static_assert(ETH_HEADER_BYTES + WITH_IP == LANCE_CALL_FRAME, "the headers of a call");

/* ETH's operations, with the fast path before its own demultiplexing. */
static struct xobj_ops eth_ops;

static void stand_before(struct xobj *eth)
{
	if (!XK_FAST_IN || eth->ops == &eth_ops)
		return;
	eth_ops = *eth->ops;
	eth_ops.demux = mselect_fast_ops.demux;
	eth->ops = &eth_ops;
}

/* A frame, and a received one with its offset. */
struct frame {
	uint8_t offset[FRAME_OFFSET];
	uint8_t to[ETH_MAC_BYTES], from[ETH_MAC_BYTES];
	uint16_t type;
	struct ip_header ip;
	struct blast_header blast;
	struct bid_header bid;
	struct chan_header chan;
	struct mselect_header mselect;
} __attribute__((packed, may_alias));

/* Both directions have this. */
static void set_common(struct frame *f, const struct xobj *bid, const struct chan_end *e,
		       uint32_t procedure)
{
	const struct xobj *blast = bid->down[0], *ip = blast->down[0];
	const struct ip_session *s = ip->state;

	f->ip = s->header;
	f->ip.version_length |= (uint32_t)swap16(WITH_IP) << 16;
	f->blast = (struct blast_header){
		.upper = ((const struct blast_session *)blast->state)->upper,
		.bytes = swap32(WITH_BLAST - BLAST_HEADER_BYTES),
		.count_op = BLAST_SHORT,
	};
	f->bid.upper = ((const struct bid_session *)bid->state)->header.upper;
	f->chan = (struct chan_header){
		.channel_flags = e->channel | CHAN_USER_MSG,
		.upper = e->upper,
		.bytes = swap32(MSELECT_HEADER_BYTES),
	};
	f->mselect.id = procedure;
}

/* The frame to send. */
static void set_sent(struct frame *f, const struct bid_header *ids, const struct eth_session *eth,
		     uint64_t mac)
{
	memcpy(f->to, &eth->remote, ETH_MAC_BYTES);
	memcpy(f->from, &mac, ETH_MAC_BYTES);
	f->type = (uint16_t)(eth->key >> 48);
	f->bid.source = ids->source;
	f->bid.destination = ids->destination;
}

/* The one that answers it, or that it answers. */
static void turn(struct frame *to, const struct frame *from)
{
	*to = *from;
	memcpy(to->to, from->from, ETH_MAC_BYTES);
	memcpy(to->from, from->to, ETH_MAC_BYTES);
	to->ip.source = from->ip.destination;
	to->ip.destination = from->ip.source;
	to->ip.ttl_protocol &= 0xff00;
	to->bid.source = from->bid.destination;
	to->bid.destination = from->bid.source;
}

static void set_words(struct chan_fast *f, const struct frame *sent, const struct frame *received)
{
	memcpy(f->frame, sent->to, LANCE_CALL_FRAME);
	memcpy(f->expected, received, sizeof f->expected);
}

/* Allocates for the server alone. */
static int set_answer(struct chan_fast *f, uint32_t procedure)
{
	struct mselect_header *h;

	if (msg_init_bytes(&f->reply, MSELECT_HEADER_BYTES))
		return 0;
	h = (struct mselect_header *)f->reply.head;
	h->id = procedure;
	h->status = MSELECT_OK;
	return 1;
}

#if LANCE_CLASSIFIER
/* Without an id the fast path compares the words itself. */
static void ask(struct chan_fast *f)
{
	const uint64_t all = ~(uint64_t)0, quads = CHAN_UPPER + 1;
	const uint64_t masks[] = { all << 16, all, IP_FIXED, PROTOCOL_SOURCE, all, all, all,
				   all,	      all, all };

	f->path = path_id_ask(f->driver, f->expected, masks, quads);
}
#else
static void ask(struct chan_fast *f)
{
}
#endif

int mselect_fast_begin(struct xobj *session, struct xobj *channel, int is_client)
{
	struct chan_end *e = channel->state;
	struct chan_fast *f = &e->fast;
	const struct xobj *bid = channel->down[0], *ip = bid->down[0]->down[0];
	const struct xobj *eth = ip->down[0]->down[0];
	const struct bid_session *b = bid->state;
	const struct ip_session *s = ip->state;
	uint32_t procedure = ((const struct mselect_session *)session->state)->id;
	struct frame sent = { .to = { 0 } }, received;

	/* VNET stands on ETH itself, or the station could change. */
	if (!eth || eth->ops != &eth_session_ops || !b->header.destination)
		return 0;
	chan_fast_forget(channel);
	msg_init_empty(&f->reply);
	if (!is_client && !set_answer(f, procedure))
		return 0;
	set_common(&sent, bid, e, procedure);
	set_sent(&sent, &b->header, eth->state, ((const struct eth *)eth->protocol->state)->mac);
	turn(&received, &sent);
	(is_client ? &sent : &received)->chan.channel_flags |= CHAN_FROM_CLIENT;
	(is_client ? &received : &sent)->mselect.status = MSELECT_OK;
	set_words(f, &sent, &received);
	f->ids = *(const rpc_quad *)&b->header;
	f->bid_ids = (const uint64_t *)&b->header;
	f->ip_sum = s->sum + swap16(WITH_IP);
	f->ident = &((struct ip *)ip->protocol->state)->ident;
	f->wait = event_ticks(is_client ? CHAN_ASK_US : CHAN_WAIT_US);
	f->driver = eth->down[0];
	f->user = session;
	ask(f);
	f->ready = 1;
	if (XK_FAST_TABLE)
		mselect_fast_enter(channel);
	stand_before(eth->protocol);
	return 1;
}

/* A request is executed the general way: the next may come the other. */
void mselect_fast_serve(struct xobj *session)
{
	struct xobj *channel = session->down[0];
	struct chan_end *e = channel->state;

	if (!XK_FAST_IN)
		return;
	if (!mselect_fast_ready(&e->fast) || e->fast.user != session)
		mselect_fast_begin(session, channel, 0);
	if (!XK_FAST_TABLE)
		chan_fast_session = channel;
	mselect_fast_expect(e);
}

#endif
