/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that came too early: packets in order of their sequence number (`offset`), which do not
 * overlap. Of bytes that came twice the first ones stay. */
#include "bsd/tcp/tcp_var.h"

enum { M_FIN = 0x100 }; /* of an mbuf's flags: the peer's FIN follows */

static uint32_t fin_of(const struct mbuf *m)
{
	return (m->flags & M_FIN) != 0;
}

static uint32_t end_of(const struct mbuf *m)
{
	return m->offset + m->packet_bytes;
}

/* The early segment `e` cuts `g`, whose end lies beyond it: the end is kept too (RFC 9293,
 * SHLD-31). */
static void keep_end(struct tcpcb *t, const struct mbuf *e, const struct segment *g)
{
	uint32_t skip = end_of(e) - g->sequence;
	struct segment rest = *g;

	if (fin_of(e) || skip > g->bytes || (skip == g->bytes && !(g->flags & TH_FIN)))
		return;
	rest.sequence += skip;
	rest.bytes -= skip;
	rest.m = rest.bytes ? m_copym(g->m, skip, rest.bytes) : mbuf_take(M_PACKET);
	if (rest.m)
		tcp_insert_early(t, &rest);
	else
		tcpstat.no_memory++;
}

static void cut_front(struct segment *g, uint32_t bytes)
{
	m_adj(g->m, bytes);
	g->sequence += bytes;
	g->bytes -= bytes;
}

void tcp_insert_early(struct tcpcb *t, struct segment *g)
{
	struct mbuf **link = &t->early, *before = NULL;
	uint32_t fin = g->flags & TH_FIN;

	for (; *link && seq_leq((*link)->offset, g->sequence); link = &(*link)->next_packet)
		before = *link;
	if (before && seq_lt(g->sequence, end_of(before) + fin_of(before))) {
		uint32_t old = end_of(before) - g->sequence;

		/* Nothing new, a FIN before the end of what is here, something beyond a FIN. */
		if (fin_of(before) || old > g->bytes || (old == g->bytes && !fin)) {
			m_freem(g->m);
			return;
		}
		cut_front(g, old);
	}
	if (*link && seq_lt((*link)->offset, g->sequence + g->bytes + fin)) {
		keep_end(t, *link, g);
		g->bytes = smaller(g->bytes, (*link)->offset - g->sequence);
		m_trim(g->m, g->bytes);
		fin = 0;
	}
	if (t->early_count >= EARLY_MAX)
		tcpstat.reassembly_full++;
	if (t->early_count >= EARLY_MAX || (!g->bytes && !fin)) {
		m_freem(g->m);
		return;
	}
	g->m->offset = g->sequence;
	g->m->flags |= fin ? M_FIN : 0;
	g->m->next_packet = *link;
	*link = g->m;
	t->early_count++;
}

/* Moves to the socket what has become contiguous. 1: up to the FIN. */
static int take_early(struct tcpcb *t)
{
	struct socket_buffer *sb = &t->inpcb->socket->receive;
	struct mbuf *m;
	int fin = 0;

	while (!fin && (m = t->early) && seq_leq(m->offset, t->receive_next)) {
		uint32_t old = t->receive_next - m->offset;

		t->early = m->next_packet;
		t->early_count--;
		fin = m->flags & M_FIN && old <= m->packet_bytes;
		if (old >= m->packet_bytes) {
			m_freem(m);
			continue;
		}
		m->flags &= ~(uint32_t)M_FIN;
		m_adj(m, old);
		t->receive_next += m->packet_bytes;
		sbappend(sb, m);
	}
	return fin;
}

int tcp_reass(struct tcpcb *t, struct segment *g)
{
	uint32_t gap = t->early->offset - g->sequence;
	int fin = (g->flags & TH_FIN) && g->bytes < gap;

	keep_end(t, t->early, g);
	if (g->bytes > gap) {
		m_trim(g->m, gap);
		g->bytes = gap;
	}
	t->receive_next += g->bytes;
	sbappend(&t->inpcb->socket->receive, g->m);
	return fin ? 1 : take_early(t);
}

void tcp_free_early(struct tcpcb *t)
{
	while (t->early) {
		struct mbuf *m = t->early;

		t->early = m->next_packet;
		m_freem(m);
	}
	t->early_count = 0;
}
