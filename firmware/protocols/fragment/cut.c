/* SPDX-License-Identifier: BSD-2-Clause */
/* From a datagram to fragments. */
#include "protocols/fragment/fragment_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

enum { MORE = 0x2000, UNIT = 8 };

uint32_t ip_max_bytes(uint32_t mtu)
{
	return fragments.running ? IP_MAX_BYTES : mtu;
}

/* Bytes [at, at + bytes) of m. */
static int send(struct xobj *session, struct msg *m, uint32_t ident, uint32_t at, uint32_t bytes)
{
	const struct ip_session *s = session->state;
	uint32_t field = swap16(at / UNIT | (at + bytes < msg_bytes(m) ? MORE : 0));
	uint32_t length = swap16(bytes + IP_HEADER_BYTES), check;
	struct ip_header *h;
	struct msg part;
	int result = XK_NO_MEMORY;

	msg_share(&part, m);
	if (at)
		msg_discard(&part, at);
	msg_truncate(&part, bytes);
	h = msg_push(&part, IP_HEADER_BYTES);
	if (h) {
		check = checksum_fold(s->sum + length + ident + field);
		h->version_length = s->header.version_length | length << 16;
		h->fragment = ident | field << 16;
		h->ttl_protocol = s->header.ttl_protocol | check << 16;
		h->source = s->header.source;
		h->destination = s->header.destination;
		fragment_counts.sent++;
		result = xPush(session->down[0], &part);
	}
	msg_destroy(&part);
	return result;
}

int ip_cut(struct xobj *session, struct msg *m)
{
	struct ip *ip = session->protocol->state;
	const struct ip_session *s = session->state;
	uint32_t all = (uint32_t)msg_bytes(m), step = (s->mtu - IP_HEADER_BYTES) & ~(UNIT - 1u);
	uint32_t ident = swap16(ip->ident);

	if (!fragments.running || all > IP_MAX_BYTES - IP_HEADER_BYTES) {
		ip_counts.too_long++;
		return XK_ERROR;
	}
	ip->ident = (ip->ident + 1) & 0xffff;
	fragment_counts.cut++;
	ip_counts.sent++;
	for (uint32_t at = 0; at < all; at += step) {
		int result = send(session, m, ident, at, all - at < step ? all - at : step);

		if (result < 0) {
			fragment_counts.send_failed++;
			return result;
		}
	}
	return XK_OK;
}
