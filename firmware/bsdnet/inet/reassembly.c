/* SPDX-License-Identifier: BSD-2-Clause */
/* A datagram in pieces is a list of packets that do not overlap, in order of their offset. The
 * first bytes received win. Its own record is in an mbuf, as in BSD. */
#include "bsdnet/inet/reassembly.h"

#include "bsdnet/environment.h"
#include "xkernel/memory/memory.h"

struct reassembly_counts reassembly_counts;

struct datagram {
	struct datagram *next;
	struct mbuf *first; /* pieces */
	uint32_t source, destination, ident, protocol;
	uint32_t half_seconds; /* left to live */
	uint32_t end;	       /* 0: the last piece is not here yet */
	uint32_t held;	       /* bytes */
};
_Static_assert(sizeof(struct datagram) <= MBUF_INSIDE, "a datagram's record fits into an mbuf");

static struct datagram *oldest;
static uint32_t datagrams, pieces;

void reassembly_start(void)
{
	memset(&reassembly_counts, 0, sizeof reassembly_counts);
	oldest = NULL;
	datagrams = 0;
	pieces = 0;
}

static struct datagram **find(const struct ip_addresses *ip, uint32_t ident)
{
	struct datagram **link = &oldest, *d;

	for (; (d = *link); link = &d->next)
		if (d->source == ip->source && d->destination == ip->destination &&
		    d->ident == ident && d->protocol == ip->protocol)
			break;
	return link;
}

static void unlink_datagram(struct datagram **link)
{
	struct datagram *d = *link;

	*link = d->next;
	datagrams--;
	for (struct mbuf *p = d->first; p; p = p->next_packet)
		pieces--;
	m_free((struct mbuf *)((uint8_t *)d - offsetof(struct mbuf, inside)));
}

static void drop(struct datagram **link)
{
	struct mbuf *p = (*link)->first;

	unlink_datagram(link);
	while (p) {
		struct mbuf *next = p->next_packet;

		m_freem(p);
		p = next;
	}
}

/* At *link, the list's end. NULL: no mbuf. */
static struct datagram *begin(struct datagram **link, const struct ip_addresses *ip, uint32_t ident)
{
	struct mbuf *m = m_get();
	struct datagram *d;

	if (!m)
		return NULL;
	d = (struct datagram *)(void *)m->inside;
	*d = (struct datagram){
		.source = ip->source,
		.destination = ip->destination,
		.ident = ident,
		.protocol = ip->protocol,
		.half_seconds = net_config.fragment_half_seconds,
	};
	if (!d->half_seconds)
		d->half_seconds = BSD_HALF_SECONDS;
	*link = d;
	datagrams++;
	return d;
}

/* Does the fragment fit to what is known of the datagram's end? */
static int is_consistent(struct datagram *d, uint32_t end, int more)
{
	if (d->end)
		return more ? end <= d->end : end == d->end;
	if (more)
		return 1;
	for (const struct mbuf *p = d->first; p; p = p->next_packet)
		if (p->offset + p->packet_bytes > end)
			return 0;
	d->end = end;
	return 1;
}

static void put(struct datagram *d, struct mbuf **link, struct mbuf *piece, uint32_t offset)
{
	piece->offset = offset;
	piece->next_packet = *link;
	*link = piece;
	d->held += piece->packet_bytes;
	pieces++;
}

/* Puts m's bytes into the holes that it covers; m itself into the last one. */
static void insert(struct datagram *d, struct mbuf *m)
{
	uint32_t offset = m->offset, end = offset + m->packet_bytes, at = offset, held = d->held;
	struct mbuf **link = &d->first, *p, *piece;

	while (m && at < end) {
		uint32_t hole = end;

		p = *link;
		if (p && p->offset < end)
			hole = p->offset;
		if (at < hole && (hole == end || p->offset + p->packet_bytes >= end)) {
			m_adj(m, at - offset);
			m_trim(m, hole - at);
			put(d, link, m, at);
			m = NULL;
		} else if (at < hole) {
			piece = m_copym(m, at - offset, hole - at);
			if (!piece) {
				reassembly_counts.no_mbuf++;
				break;
			}
			put(d, link, piece, at);
			link = &piece->next_packet;
		}
		if (hole == end)
			break;
		if (at < p->offset + p->packet_bytes)
			at = p->offset + p->packet_bytes;
		link = &(*link)->next_packet;
	}
	m_freem(m);
	if (d->held == held)
		reassembly_counts.duplicates++;
	else if (d->held - held != end - offset)
		reassembly_counts.overlaps++;
}

static struct mbuf *join(struct datagram **link)
{
	struct mbuf *whole = (*link)->first, *piece = whole->next_packet, *tail = whole, *next;

	unlink_datagram(link);
	whole->next_packet = NULL;
	for (; piece; piece = next) {
		next = piece->next_packet;
		piece->next_packet = NULL;
		whole->packet_bytes += piece->packet_bytes;
		while (tail->next)
			tail = tail->next;
		tail->next = piece;
	}
	return whole;
}

struct mbuf *reassemble(const struct ip_addresses *ip, uint32_t ident, int more, struct mbuf *m)
{
	uint32_t end = m->offset + m->packet_bytes;
	struct datagram **link, *d;

	reassembly_counts.fragments++;
	if (!m->packet_bytes || (more && m->packet_bytes % 8) || end > IP_LONGEST - IP_HEADER) {
		reassembly_counts.malformed++;
		m_freem(m);
		return NULL;
	}
	while (oldest && (pieces >= REASSEMBLY_PIECES)) {
		reassembly_counts.evicted++;
		drop(&oldest);
	}
	link = find(ip, ident);
	if (!*link && datagrams >= REASSEMBLY_DATAGRAMS) {
		reassembly_counts.evicted++;
		drop(&oldest);
		link = find(ip, ident);
	}
	d = *link ? *link : begin(link, ip, ident);
	if (!d || !is_consistent(d, end, more)) {
		if (d)
			reassembly_counts.inconsistent++;
		else
			reassembly_counts.no_mbuf++;
		m_freem(m);
		return NULL;
	}
	insert(d, m);
	if (!d->end || d->held != d->end)
		return NULL;
	reassembly_counts.reassembled++;
	return join(link);
}

void reassembly_half_second(void)
{
	struct datagram **link = &oldest;

	while (*link) {
		if (--(*link)->half_seconds) {
			link = &(*link)->next;
		} else {
			reassembly_counts.timed_out++;
			drop(link);
		}
	}
}
