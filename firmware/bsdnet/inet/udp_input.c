/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsdnet/environment.h"
#include "bsdnet/inet/udp.h"
#include "bsdnet/mbuf/words.h"
#include "bsdnet/socket/socket.h"
#include "xkernel/checksum.h"
#include "xkernel/memory/memory.h"

struct udpin_counts udpin_counts;

void udp_start(void)
{
	memset(&udpin_counts, 0, sizeof udpin_counts);
}

static uint64_t pseudo_header(uint32_t length, const struct ip_addresses *ip)
{
	uint64_t sum = (uint64_t)swap32(ip->source) + swap32(ip->destination);

	return sum + swap16(IP_UDP) + swap16(length);
}

/* Reads every byte of the datagram: with TR 93-04's switch off, nobody does before the reader. A
 * late one reads the header alone, and leaves its sum for the reader. */
static int is_right(struct mbuf *m, uint32_t length, const struct ip_addresses *ip)
{
	uint64_t sum = pseudo_header(length, ip);

	if (!net_config.late_udp_checksum)
		return checksum_fold(mbuf_sum(sum, m, length)) == 0;
	m->header_sum = (uint16_t)~checksum_fold(mbuf_sum(sum, m, UDP_HEADER));
	return 1;
}

/* The header in one mbuf, what is behind the datagram cut. NULL: dropped and counted. */
static struct mbuf *check(struct mbuf *m, const struct ip_addresses *ip)
{
	uint64_t *count = NULL;
	uint32_t length;

	if (m->packet_bytes < UDP_HEADER) {
		udpin_counts.too_short++;
		m_freem(m);
		return NULL;
	}
	if (m->bytes < UDP_HEADER && !(m = m_pullup(m, UDP_HEADER))) {
		udpin_counts.no_mbuf++;
		return NULL;
	}
	length = word_get(m->data, 1) >> 16;
	if (length < UDP_HEADER || length > m->packet_bytes) {
		count = &udpin_counts.bad_length;
	} else {
		if (length < m->packet_bytes)
			m_trim(m, length);
		m->header_sum = 0;
		if (net_config.without_udp_checksum)
			udpin_counts.not_checked++;
		else if (!(word_get(m->data, 1) & 0xffff))
			udpin_counts.no_checksum++;
		else if (!is_right(m, length, ip))
			count = &udpin_counts.bad_checksum;
	}
	if (!count)
		return m;
	++*count;
	m_freem(m);
	return NULL;
}

void udp_input(struct mbuf *m, const struct ip_addresses *ip)
{
	struct udp_name from = { .host = ip->source };
	struct socket *so;
	uint32_t port;

	udpin_counts.received++;
	m = check(m, ip);
	if (!m)
		return;
	from.port = word_get(m->data, 0) >> 16;
	port = word_get(m->data, 0) & 0xffff;
	so = socket_of(port, &from);
	if (!so) {
		udpin_counts.no_port++;
		m_freem(m);
		return;
	}
	m_adj(m, UDP_HEADER);
	if (socket_append(so, m, &from) == 0)
		udpin_counts.delivered++;
}
