/* SPDX-License-Identifier: BSD-2-Clause */
/* IP, upwards: header, ours or not, fragments, protocol. */
#include "bsdnet/environment.h"
#include "bsdnet/inet/ip.h"
#include "bsdnet/inet/reassembly.h"
#include "bsdnet/inet/udp.h"
#include "bsdnet/mbuf/words.h"
#include "xkernel/checksum.h"
#include "xkernel/memory/memory.h"

struct ipin_counts ipin_counts;

enum { VERSION = 4, MORE = 0x2000, OFFSET = 0x1fff };

void ip_start(void)
{
	memset(&ipin_counts, 0, sizeof ipin_counts);
	reassembly_start();
}

/* All ones, and the net's own broadcast address. */
static int is_broadcast(uint32_t host)
{
	uint32_t mask = net_config.netmask;

	return host == 0xffffffff || (host == (net_config.address | ~mask) && ~mask > 1);
}

int ip_is_ours(uint32_t host)
{
	return host == net_config.address || is_broadcast(host);
}

static int is_bad_source(uint32_t host)
{
	return ip_is_ours(host) || host >> 28 >= 14 || host >> 24 == 127 || host >> 24 == 0;
}

static struct mbuf *dropped(struct mbuf *m, uint64_t *count)
{
	++*count;
	m_freem(m);
	return NULL;
}

/* The header contiguous and right, the padding gone. NULL: dropped and counted. */
static struct mbuf *check_header(struct mbuf *m)
{
	uint32_t bytes = m->packet_bytes, header, total;

	if (bytes < IP_HEADER)
		return dropped(m, &ipin_counts.too_short);
	if (m->bytes < IP_HEADER && !(m = m_pullup(m, IP_HEADER))) {
		ipin_counts.no_mbuf++;
		return NULL;
	}
	if (m->data[0] >> 4 != VERSION)
		return dropped(m, &ipin_counts.bad_version);
	header = (m->data[0] & 15) * 4;
	if (header < IP_HEADER || header > bytes)
		return dropped(m, &ipin_counts.bad_header_length);
	if (m->bytes < header && !(m = m_pullup(m, header))) {
		ipin_counts.no_mbuf++;
		return NULL;
	}
	if (checksum_fold(mbuf_sum(0, m, header)))
		return dropped(m, &ipin_counts.bad_checksum);
	total = word_get(m->data, 0) & 0xffff;
	if (total < header || total > bytes)
		return dropped(m, &ipin_counts.bad_length);
	if (total < bytes)
		m_trim(m, total);
	return m;
}

static struct mbuf *check_addresses(struct mbuf *m, struct ip_addresses *ip)
{
	*ip = (struct ip_addresses){
		.source = word_get(m->data, 3),
		.destination = word_get(m->data, 4),
		.protocol = word_get(m->data, 2) >> 16 & 0xff,
		.to_all = (m->flags & M_TO_ALL) != 0,
	};
	if (!(word_get(m->data, 2) >> 24))
		return dropped(m, &ipin_counts.ttl_expired);
	if (!ip_is_ours(ip->destination))
		return dropped(m, &ipin_counts.not_ours);
	if (ip->to_all && ip->destination == net_config.address)
		return dropped(m, &ipin_counts.link_broadcast);
	if (is_bad_source(ip->source))
		return dropped(m, &ipin_counts.bad_source);
	return m;
}

/* A fragment's data without header. BSD pulls the header of a cluster up into a small mbuf, and
 * with it the first bytes of data: 40 in all. */
static struct mbuf *cut_header(struct mbuf *m, uint32_t header, uint32_t place)
{
	if (m->flags & M_CLUSTER && !(m = m_pullup(m, header))) {
		ipin_counts.no_mbuf++;
		return NULL;
	}
	m_adj(m, header);
	m->offset = (place & OFFSET) * 8;
	return m;
}

void ip_input(struct mbuf *m)
{
	struct ip_addresses ip;
	uint32_t header, ident_place;

	ipin_counts.received++;
	m = check_header(m);
	if (!m || !(m = check_addresses(m, &ip)))
		return;
	header = (m->data[0] & 15) * 4;
	ident_place = word_get(m->data, 1);
	if (ident_place & (MORE | OFFSET)) {
		m = cut_header(m, header, ident_place);
		if (m)
			m = reassemble(&ip, ident_place >> 16, (ident_place & MORE) != 0, m);
		if (!m)
			return;
	} else {
		m_adj(m, header);
	}
	if (ip.protocol != IP_UDP) {
		dropped(m, &ipin_counts.unknown_protocol);
		return;
	}
	ipin_counts.delivered++;
	udp_input(m, &ip);
}
