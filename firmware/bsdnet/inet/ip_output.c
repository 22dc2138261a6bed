/* SPDX-License-Identifier: BSD-2-Clause */
/* IP, downwards: one header, or one per piece. Pieces share the clusters of what is sent. */
#include "bsdnet/environment.h"
#include "bsdnet/ether.h"
#include "bsdnet/inet/ip.h"
#include "bsdnet/mbuf/words.h"
#include "xkernel/checksum.h"
#include "xkernel/memory/memory.h"

struct ipout_counts ipout_counts;

enum { VERSION_HEADER = 0x45, TTL = 64, MORE = 0x2000, PIECE = (ETHER_MTU - IP_HEADER) & ~7 };

static uint32_t ident;

void ip_output_start(void)
{
	memset(&ipout_counts, 0, sizeof ipout_counts);
	ident = 0;
}

/* `ident_place`: identifier, flag MORE and offset, as in the header. */
static int send(struct mbuf *m, uint32_t host, uint32_t protocol, uint32_t ident_place)
{
	m = m_prepend(m, IP_HEADER);
	if (!m) {
		ipout_counts.no_mbuf++;
		return -1;
	}
	word_set(m->data, 0, VERSION_HEADER << 24 | m->packet_bytes);
	word_set(m->data, 1, ident_place);
	word_set(m->data, 2, TTL << 24 | protocol << 16);
	word_set(m->data, 3, net_config.address);
	word_set(m->data, 4, host);
	word_set(m->data, 2,
		 TTL << 24 | protocol << 16 | swap16(checksum_fold(mbuf_sum(0, m, IP_HEADER))));
	return ether_output(m, host);
}

int ip_output(struct mbuf *m, uint32_t host, uint32_t protocol)
{
	uint32_t bytes = m->packet_bytes, at, own;
	int result = 0;

	if (bytes > IP_LONGEST - IP_HEADER) {
		ipout_counts.too_long++;
		m_freem(m);
		return -1;
	}
	ipout_counts.datagrams++;
	ident = (ident + 1) & 0xffff;
	own = ident << 16; /* others may send before we are done */
	if (bytes <= ETHER_MTU - IP_HEADER)
		return send(m, host, protocol, own);
	for (at = 0; at < bytes && !result; at += PIECE) {
		uint32_t part = bytes - at < PIECE ? bytes - at : PIECE;
		struct mbuf *piece = m_copym(m, at, part);

		if (!piece) {
			ipout_counts.no_mbuf++;
			result = -1;
			break;
		}
		ipout_counts.fragments++;
		result = send(piece, host, protocol, own | at / 8 | (at + part < bytes ? MORE : 0));
	}
	m_freem(m);
	return result;
}
