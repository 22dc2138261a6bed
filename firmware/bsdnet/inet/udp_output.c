/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsdnet/environment.h"
#include "bsdnet/inet/udp.h"
#include "bsdnet/mbuf/words.h"
#include "xkernel/checksum.h"

int udp_output(struct mbuf *m, uint32_t port, const struct udp_name *to)
{
	uint64_t sum = (uint64_t)swap32(net_config.address) + swap32(to->host);
	uint32_t length, check = 0;

	m = m_prepend(m, UDP_HEADER);
	if (!m)
		return -1;
	length = m->packet_bytes;
	word_set(m->data, 0, port << 16 | to->port);
	word_set(m->data, 1, length << 16);
	if (!net_config.without_udp_checksum) {
		sum += swap16(IP_UDP) + swap16(length);
		check = swap16(checksum_fold(mbuf_sum(sum, m, length)));
		if (!check)
			check = 0xffff; /* 0 on the wire says that there is none */
	}
	word_set(m->data, 1, length << 16 | check);
	return ip_output(m, to->host, IP_UDP);
}
