/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP with six locks, from IP to a connection, in the place of tcp_demux.c: the connection is
 * looked up first, because the header is removed, and the checksum computed, under a lock of its
 * own. */
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/output/tcp_output.h"

/* Only load_header of tcp_demux.c is wanted: static there, as path inlining reads .c files. */
__attribute__((unused)) static int tcp_demux_unlocked(struct xobj *self, struct xobj *lower,
						      struct msg *m);
#define tcp_demux tcp_demux_unlocked
#include "protocols/tcp/input/tcp_demux.c"
#undef tcp_demux

int tcp_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct tcp_protocol *p = self->state;
	const struct ip_info *ip = m->attribute;
	struct xobj *s = NULL;
	struct tcp_segment g;
	struct passive_enable *listener;
	uint64_t key;
	int failed;

	if (PREDICT_TRUE(msg_front_bytes(m) >= TCP_HEADER_BYTES)) {
		key = tcp_key(ip->source, ((const struct tcp_header *)m->head)->ports);
		s = map_resolve(&p->active, &key, 1);
	}
	if (PREDICT_TRUE(s))
		TCP_LOCK((struct tcp *)s->state, TCP_LOCK_REMOVE);
	failed = load_header(m, &g);
	if (PREDICT_TRUE(s))
		TCP_UNLOCK((struct tcp *)s->state, TCP_LOCK_REMOVE);
	if (PREDICT_FALSE(failed))
		return XK_ERROR;
	if (PREDICT_FALSE(g.ip->destination != p->address)) {
		COUNT(tcp_counts, not_ours);
		return XK_ERROR;
	}
	if (PREDICT_TRUE(s))
		return xPop(s, lower, m, &g);
	key = g.ports >> 16;
	listener = map_resolve(&p->passive, &key, 1);
	if (listener)
		return tcp_listen_input(self, listener, lower, &g);
	tcp_reset(lower, &g);
	return XK_ERROR;
}
