/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: from IP to a connection. */
#include "protocols/tcp/tcp_load_header.h"

int tcp_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct tcp_protocol *p = self->state;
	struct tcp_segment g;
	struct tcp_listener *listener;
	struct xobj *s;
	uint64_t key;

	if (PREDICT_FALSE(load_header(m, &g)))
		return XK_ERROR;
	if (PREDICT_FALSE(g.ip->destination != p->address)) {
		COUNT(tcp_counts, not_ours); /* broadcast: TCP talks to one (RFC 1122) */
		return XK_ERROR;
	}
	key = tcp_key(g.ip->source, g.ports);
	s = map_resolve(&p->active, &key, 1);
	if (PREDICT_TRUE(s))
		return xPop(s, lower, m, &g);
	key = g.ports >> 16;
	listener = map_resolve(&p->passive, &key, 1);
	if (listener)
		return tcp_listen_input(self, listener, lower, &g);
	tcp_reset(lower, &g);
	return XK_ERROR;
}
