/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP's fast path: which connection has it, and what it keeps of that. */
#include "protocols/tcp/fast/tcp_fast_begin.h"
#include "protocols/eth/eth_private.h"
#include "protocols/ip/ip_private.h"
#include "protocols/tcp/fast/tcp_fast.h"

#if XK_FAST

struct xobj *tcp_fast_connection;

void tcp_fast_last(struct xobj *s)
{
	const struct tcp *t = s->state;

	if (!XK_FAST_TABLE && t->fast.ready)
		tcp_fast_connection = s;
}

/* ETH's operations, with the fast path before its own demultiplexing. */
static struct xobj_ops eth_ops;

static void stand_before(struct xobj *eth)
{
	if (!XK_FAST_IN || eth->ops == &eth_ops)
		return;
	eth_ops = *eth->ops;
	eth_ops.demux = tcp_fast_ops.demux;
	eth->ops = &eth_ops;
}

/* Frames of IP's session as ETH will have them: words of a received one, and of one to send. */
static void set_words(struct tcp *t, const struct xobj *ip_session, const struct xobj *eth_session)
{
	const struct ip_session *ip = ip_session->state;
	const struct eth_session *eth = eth_session->state;
	const struct eth *station = eth_session->protocol->state;
	uint64_t ours = ip->header.source, theirs = ip->header.destination;
	uint64_t ports = (uint64_t)t->template_ports;
	struct tcp_fast *f = &t->fast;

	f->station = station->mac << 16;
	f->source_type = eth->key;
	f->source = theirs << 32 | TCP_PROTOCOL << 8;
	f->destination = ((ports >> 16 | ports << 16) & 0xffffffff) << 32 | ours;
	f->header[0] = eth->remote | station->mac << 48;
	f->header[1] =
	    (eth->key >> 48) << 32 | station->mac >> 16 | (uint64_t)ip->header.version_length << 48;
	f->header[2] = (uint64_t)ip->header.ttl_protocol << 48;
	f->header[3] = theirs << 48 | ours << 16;
	f->ports = ports << 16 | theirs >> 16;
	f->ip_sum = ip->sum;
	f->driver = eth_session->down[0];
}

#if LANCE_CLASSIFIER
/* Without an id the fast path compares the words itself. */
static void ask(struct tcp_fast *f)
{
	const uint64_t all = ~(uint64_t)0, quads = DESTINATION + 1;
	const uint64_t masks[] = { all << 16, all, IP_FIXED, PROTOCOL_SOURCE, all };
	const uint64_t first[] = { f->station, f->source_type, IP_EXPECTED, f->source,
				   f->destination };

	f->path = path_id_ask(f->driver, first, masks, quads);
}
#else
static void ask(struct tcp_fast *f)
{
}
#endif

void tcp_fast_begin(struct xobj *s)
{
	struct tcp *t = s->state;
	const struct xobj *ip_session = s->down[0];
	const struct xobj *eth_session = ip_session->down[0]->down[0];

	/* VNET stands on ETH itself, or the station could change. */
	if (!eth_session || eth_session->ops != &eth_session_ops)
		return;
	if (msg_init_bytes(&t->fast.bytes, sizeof(uint64_t)))
		return; /* no memory: all the connection's segments go the general way */
	set_words(t, ip_session, eth_session);
	ask(&t->fast);
	t->fast.ready = 1;
	if (XK_FAST_TABLE)
		tcp_fast_enter(s);
	else
		tcp_fast_connection = s;
	stand_before(eth_session->protocol);
}

void tcp_fast_forget(struct xobj *s)
{
	struct tcp *t = s->state;

	if (XK_FAST_TABLE)
		tcp_fast_leave(s);
	if (tcp_fast_connection == s)
		tcp_fast_connection = NULL;
	if (t->fast.ready)
		msg_destroy(&t->fast.bytes);
	t->fast.ready = 0;
}

#endif
