/* SPDX-License-Identifier: BSD-2-Clause */
/* IP: the way down. */
#include "protocols/ip/ip_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

int ip_push(struct xobj *session, struct msg *m)
{
	struct ip *ip = session->protocol->state;
	const struct ip_session *s = session->state;
	size_t bytes = msg_bytes(m) + IP_HEADER_BYTES;
	struct ip_header *h;
	uint32_t length, ident, check;

	if (PREDICT_FALSE(bytes > s->mtu)) {
		if (XK_FRAGMENTS)
			return ip_cut(session, m);
		COUNT(ip_counts, too_long);
		return XK_ERROR;
	}
	h = msg_push(m, IP_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		COUNT(ip_counts, no_memory);
		return XK_NO_MEMORY;
	}
	length = swap16((uint32_t)bytes);
	if (XK_MP) {
		ident = swap16((uint32_t)(atomic_add((uint64_t *)&ip->ident, 1) - 1) & 0xffff);
	} else {
		ident = swap16(ip->ident);
		ip->ident = (ip->ident + 1) & 0xffff;
	}
	check = XK_MISC ? checksum_fold(s->sum + length + ident) : 0;
	h->version_length = s->header.version_length | length << 16;
	h->fragment = ident;
	h->ttl_protocol = s->header.ttl_protocol | check << 16;
	h->source = s->header.source;
	h->destination = s->header.destination;
	if (!XK_MISC)
		h->ttl_protocol |= (uint32_t)checksum_fold(checksum_add(0, h, sizeof *h)) << 16;
	COUNT(ip_counts, sent);
	return xPush(session->down[0], m);
}
