/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP: the way up. */
#include "protocols/icmp/icmp.h"
#include "protocols/udp/udp_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/map/passive.h"

enum { UDP_PROTOCOL = 17 };

/* Pops and checks the header, cuts what is behind the datagram. NULL: dropped and counted. */
static const struct udp_header *load_header(struct msg *m, const struct ip_info *ip)
{
	uint32_t total = (uint32_t)msg_bytes(m), length;
	const struct udp_header *h;
	uint64_t sum;

	COUNT(udp_counts, received);
	if (total < UDP_HEADER_BYTES) {
		COUNT(udp_counts, too_short);
		return NULL;
	}
	h = msg_pop(m, UDP_HEADER_BYTES);
	if (!h) {
		COUNT(udp_counts, no_memory);
		return NULL;
	}
	length = swap16(h->length_checksum);
	if (length < UDP_HEADER_BYTES || length > total) {
		COUNT(udp_counts, bad_length);
		return NULL;
	}
	msg_truncate(m, length - UDP_HEADER_BYTES);
	if (h->length_checksum >> 16 == 0) {
		COUNT(udp_counts, no_checksum);
		return h;
	}
	sum = (uint64_t)ip->source + ip->destination + swap16(UDP_PROTOCOL) + swap16(length);
	sum = checksum_add(sum, h, UDP_HEADER_BYTES);
	if (checksum_fold(checksum_add_msg(sum, m)) != 0) {
		COUNT(udp_counts, bad_checksum);
		return NULL;
	}
	return h;
}

static void no_port(struct xobj *self, const struct ip_info *ip, const struct udp_header *h)
{
	const struct udp *udp = self->state;
	struct icmp_report report = {
		.type = ICMP_UNREACHABLE,
		.code = ICMP_PORT,
		.ip = ip,
		.payload = h,
	};

	COUNT(udp_counts, no_port);
	if (self->down[1] && ip->destination == udp->address)
		xControl(self->down[1], ICMP_REPORT, &report, sizeof report);
}

static struct xobj *passive_open(struct xobj *self, struct xobj *lower, const struct ip_info *ip,
				 const struct udp_header *h)
{
	struct udp *udp = self->state;
	uint64_t port = h->ports >> 16;
	const struct passive_enable *e = map_find(&udp->passive, &port);
	struct xobj *session;

	if (!e) {
		no_port(self, ip, h);
		return NULL;
	}
	session =
	    udp_session_make(self, e->receiver, e->type, xDuplicate(lower), ip->source, h->ports);
	if (!session) {
		COUNT(udp_counts, no_memory);
		xClose(lower);
		return NULL;
	}
	if (xOpenDone(e->receiver, session, self) < 0) {
		COUNT(udp_counts, refused);
		map_unbind(&udp->active, &((struct udp_session *)session->state)->key);
		udp_session_destroy(session);
		return NULL;
	}
	return session;
}

int udp_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct udp *udp = self->state;
	const struct ip_info *ip = m->attribute;
	const struct udp_header *h = load_header(m, ip);
	struct xobj *session;
	uint64_t key;

	if (!h)
		return XK_ERROR;
	key = udp_key(ip->source, h->ports);
	session = map_resolve(&udp->active, &key, 1);
	if (!session)
		session = passive_open(self, lower, ip, h);
	return session ? xPop(session, lower, m, NULL) : XK_ERROR;
}

int udp_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	xUsed(session);
	m->attribute = NULL;
	return xDemux(session, m);
}
