/* SPDX-License-Identifier: BSD-2-Clause */
/* IP's output. The sender keeps a route; it is looked at before the table is. */
#include "bsd/error.h"
#include "bsd/inet/ip.h"
#include "xkernel/byteorder.h"
#include "xkernel/seed.h"
#include "xkernel/switches.h"

struct ipstat ipstat;

uint32_t ip_ident; /* of the next packet; like the ISN from the seed, never from time */

void ip_start(void)
{
	ipstat = (struct ipstat){ 0 };
	ip_ident = (uint32_t)seed_number(SEED_IP_IDENT) & 0xffff;
}

static void drop(struct mbuf *m, uint64_t *count)
{
	++*count;
	m_freem(m);
}

int ip_output(struct mbuf *m, struct route *r)
{
	struct route own = { NULL, 0 };
	struct ip *ip = (struct ip *)(void *)m->data;
	struct route_entry *e;
	uint32_t next;
	int result;

	ip->version = 4;
	ip->header_words = IP_HEADER >> 2;
	ip->offset = 0;
	ip->ident = (uint16_t)swap16(ip_ident);
	ip_ident = (ip_ident + 1) & 0xffff;
	if (PREDICT_FALSE(!r))
		r = &own;
	if (PREDICT_FALSE(r->entry && (!r->entry->up || r->host != ip->destination)))
		route_free(r);
	if (PREDICT_FALSE(!r->entry)) {
		r->host = ip->destination;
		route_find(r);
		if (!r->entry) {
			drop(m, &ipstat.no_route);
			return BSD_EHOSTUNREACH;
		}
	}
	e = r->entry;
	e->used++;
	next = e->gateway ? e->gateway : ip->destination;
	if (PREDICT_FALSE(ip->bytes > e->interface->mtu)) {
		drop(m, &ipstat.too_long);
		result = BSD_EMSGSIZE;
	} else {
		ip->bytes = (uint16_t)swap16(ip->bytes);
		ip->check = 0;
		ip->check = (uint16_t)ip_header_cksum(ip);
		ipstat.sent++;
		result = e->interface->output(e->interface, m, next);
	}
	if (PREDICT_FALSE(r == &own))
		route_free(r);
	return result;
}
