/* SPDX-License-Identifier: BSD-2-Clause */
/* IP: the way up. All checks of the header come before any use of a map. */
#include "protocols/eth/eth.h"
#include "protocols/ip/ip_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/map/passive.h"

/* Pops and checks the header, cuts the frame's padding. NULL: dropped and counted. */
static const struct ip_header *load_header(struct msg *m)
{
	size_t frame = msg_bytes(m);
	const struct ip_header *h = NULL;
	uint32_t first, total, header_bytes;
	uint64_t sum;

	if (PREDICT_FALSE(frame < IP_HEADER_BYTES)) {
		COUNT(ip_counts, too_short);
		return NULL;
	}
	h = msg_pop(m, IP_HEADER_BYTES);
	if (PREDICT_FALSE(!h)) {
		COUNT(ip_counts, no_memory);
		return NULL;
	}
	first = h->version_length;
	if (PREDICT_FALSE((first & 0xf0) != 0x40)) {
		COUNT(ip_counts, bad_version);
		return NULL;
	}
	header_bytes = (first & 0xf) * 4;
	if (PREDICT_FALSE(header_bytes < IP_HEADER_BYTES || header_bytes > frame)) {
		COUNT(ip_counts, bad_header_length);
		return NULL;
	}
	sum = checksum_add(0, h, IP_HEADER_BYTES);
	if (PREDICT_FALSE(header_bytes > IP_HEADER_BYTES)) {
		/* Options are checked and then ignored. The frame is one piece, so h stays. */
		size_t options = header_bytes - IP_HEADER_BYTES;
		const void *o = msg_front_bytes(m) < options ? NULL : msg_pop(m, options);

		if (!o) {
			COUNT(ip_counts, no_memory);
			return NULL;
		}
		sum = checksum_add(sum, o, options);
	}
	if (PREDICT_FALSE(checksum_fold(sum) != 0)) {
		COUNT(ip_counts, bad_checksum);
		return NULL;
	}
	total = swap16(first >> 16);
	if (PREDICT_FALSE(total < header_bytes || total > frame)) {
		COUNT(ip_counts, bad_length);
		return NULL;
	}
	msg_truncate(m, total - header_bytes);
	return h;
}

/* Nobody may be answered at these: ourselves, everybody, a group, "this host". */
static int is_bad_source(const struct ip *ip, uint32_t source)
{
	return source == ip->address || source == ip->broadcast || source == 0 ||
	       (source & 0xff) >= 224 || (source & 0xff) == 127;
}

/* The first message between these two for this protocol. */
static struct xobj *passive_open(struct xobj *self, struct xobj *lower, const struct ip_info *info)
{
	struct ip *ip = self->state;
	uint64_t key = info->protocol;
	struct passive_enable *enable = map_resolve(&ip->passive, &key, 1);
	struct xobj *session;

	if (!enable) {
		COUNT(ip_counts, unknown_protocol);
		return NULL;
	}
	if (is_bad_source(ip, info->source)) {
		COUNT(ip_counts, bad_source);
		return NULL;
	}
	lower = ip_way_back(self, lower, info->source);
	session = ip_session_make(self, enable->receiver, enable->type, xDuplicate(lower),
				  info->source, ip->address, info->protocol);
	if (!session) {
		COUNT(ip_counts, no_memory);
		xClose(lower);
		return NULL;
	}
	if (xOpenDone(enable->receiver, session, self) < 0)
		return NULL;
	return session;
}

int ip_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct ip *ip = self->state;
	const struct ip_header *h = load_header(m);
	struct ip_info info;
	struct xobj *session;
	uint64_t key[2];

	if (PREDICT_FALSE(!h))
		return XK_ERROR;
	if (PREDICT_FALSE((h->ttl_protocol & 0xff) == 0)) {
		COUNT(ip_counts, ttl_expired);
		return XK_ERROR;
	}
	info.source = h->source;
	info.destination = h->destination;
	info.protocol = h->ttl_protocol >> 8 & 0xff;
	info.bytes = (uint32_t)msg_bytes(m);
	if (PREDICT_FALSE(info.destination != ip->address) && info.destination != ip->broadcast &&
	    info.destination != 0xffffffff) {
		COUNT(ip_counts, not_ours);
		return XK_ERROR;
	}
	if (XK_LINK_CHECK && eth_to_all(m) && info.destination == ip->address) {
		COUNT(ip_counts, link_broadcast);
		return XK_ERROR;
	}
	if (PREDICT_FALSE(swap16(h->fragment >> 16) & IP_MORE_OR_OFFSET)) {
		if (!XK_FRAGMENTS)
			COUNT(ip_counts, fragments_refused);
		if (!XK_FRAGMENTS || ip_assemble(h, m))
			return XK_ERROR;
		info.bytes = (uint32_t)msg_bytes(m);
	}
	COUNT(ip_counts, received);
	ip_key(key, info.source, ip->address, info.protocol);
	session = map_resolve(&ip->active, key, 2);
	if (PREDICT_FALSE(!session)) {
		session = passive_open(self, lower, &info);
		if (!session)
			return XK_ERROR;
	}
	return xPop(session, lower, m, &info);
}

int ip_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	xUsed(session);
	m->attribute = header;
	return xDemux(session, m);
}
