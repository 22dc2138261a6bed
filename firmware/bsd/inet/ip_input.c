/* SPDX-License-Identifier: BSD-2-Clause */
/* IP's input: the software interrupt. Every check of the header is in ipintr itself, as in BSD. */
#include "bsd/inet/ip.h"
#include "bsd/inet/protocol.h"
#include "bsd/net/ether.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/memory.h"
#include "xkernel/switches.h"

static void drop(struct mbuf *m, uint64_t *count)
{
	++*count;
	m_freem(m);
}

/* Options, and a header that is not in the first mbuf. 1: it is right. */
static __attribute__((noinline)) int long_header_is_right(struct mbuf **m, uint32_t bytes)
{
	if ((*m)->bytes < bytes && !(*m = m_pullup(*m, bytes))) {
		ipstat.no_mbuf++;
		return 0;
	}
	if (in_cksum(*m, bytes) == 0)
		return 1;
	drop(*m, &ipstat.bad_checksum);
	return 0;
}

/* The address of ours that the packet is for, or of the net whose hosts it is for; NULL: none. */
static inline const struct interface_address *address_of(uint32_t destination)
{
	const struct interface_address *a = interface_addresses;

	for (; a; a = a->next)
		if (a->address == destination || a->broadcast == destination ||
		    destination == 0xffffffff)
			break;
	return a;
}

void ip_strip_options(struct mbuf *m)
{
	const struct ip *ip = (const struct ip *)(const void *)m->data;
	uint32_t options = (uint32_t)ip->header_words * 4 - IP_HEADER;

	memmove(m->data + IP_HEADER, m->data + IP_HEADER + options, m->bytes - IP_HEADER - options);
	m->bytes -= options;
	m->packet_bytes -= options;
}

void ipintr(void)
{
	const struct protocol *protocol;
	struct mbuf *m;
	struct ip *ip;
	uint32_t header;
	int level;

	for (;;) {
		level = splimp();
		m = packets_take(&ip_queue);
		splx(level);
		if (!m)
			return;
		ipstat.received++;
		if (PREDICT_FALSE(m->bytes < IP_HEADER) && !(m = m_pullup(m, IP_HEADER))) {
			ipstat.too_short++;
			continue;
		}
		ip = (struct ip *)(void *)m->data;
		if (PREDICT_FALSE(ip->version != 4)) {
			drop(m, &ipstat.bad_version);
			continue;
		}
		header = (uint32_t)ip->header_words << 2;
		if (PREDICT_FALSE(header < IP_HEADER || header > m->packet_bytes)) {
			drop(m, &ipstat.bad_header_length);
			continue;
		}
		if (PREDICT_FALSE(header > IP_HEADER)) {
			if (!long_header_is_right(&m, header))
				continue;
			ip = (struct ip *)(void *)m->data;
		} else if (PREDICT_FALSE(ip_header_cksum(ip) != 0)) {
			drop(m, &ipstat.bad_checksum);
			continue;
		}
		ip->bytes = (uint16_t)swap16(ip->bytes);
		ip->ident = (uint16_t)swap16(ip->ident);
		ip->offset = (uint16_t)swap16(ip->offset);
		if (PREDICT_FALSE(ip->bytes < header || ip->bytes > m->packet_bytes)) {
			drop(m, &ipstat.bad_length);
			continue;
		}
		if (m->packet_bytes > ip->bytes) { /* the frame was padded */
			if (!m->next) {
				m->bytes = ip->bytes;
				m->packet_bytes = ip->bytes;
			} else {
				m_trim(m, ip->bytes);
			}
		}
		if (PREDICT_FALSE(!ip->ttl)) {
			drop(m, &ipstat.ttl_expired);
			continue;
		}
		if (PREDICT_FALSE(!address_of(ip->destination))) {
			drop(m, &ipstat.not_ours);
			continue;
		}
		if (PREDICT_FALSE(m->flags & M_TO_ALL) && !is_broadcast(ip->destination)) {
			drop(m, &ipstat.link_broadcast);
			continue;
		}
		if (PREDICT_FALSE(ip->offset & IP_MORE_OR_OFFSET)) {
			drop(m, &ipstat.fragments_refused);
			continue;
		}
		ip->bytes = (uint16_t)(ip->bytes - header);
		protocol = protocol_of[ip->protocol];
		if (PREDICT_FALSE(!protocol)) {
			drop(m, &ipstat.unknown_protocol);
			continue;
		}
		ipstat.delivered++;
		protocol->input(m, header);
	}
}
