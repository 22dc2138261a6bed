/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP: telling the sender of a datagram that it could not be delivered (RFC 1122 3.2.2). */
#include "protocols/icmp/icmp_private.h"
#include "protocols/ip/ip_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/thread/event.h"

/* The header as IP hands it up: what a sender finds its socket by. Identifier and time to live are
 * not those that came, IP keeps them to itself. */
static void quote(struct ip_header *h, const struct ip_info *ip, uint32_t fragment)
{
	h->version_length = 0x45 | swap16(ip->bytes + IP_HEADER_BYTES) << 16;
	h->fragment = fragment;
	h->ttl_protocol = ip->protocol << 8;
	h->source = ip->source;
	h->destination = ip->destination;
	h->ttl_protocol |= (uint32_t)checksum_fold(checksum_add(0, h, sizeof *h)) << 16;
}

/* So many a second; another host must not make us send at will (RFC 1812 4.3.2.8). */
static int too_many(void)
{
	static uint64_t second, count;
	uint64_t now = event_now_ms() / 1000;

	if (now != second) {
		second = now;
		count = 0;
	}
	return count++ >= ICMP_REPORTS_A_SECOND;
}

int icmp_report(struct xobj *self, const struct icmp_report *report)
{
	struct xobj *session = NULL;
	struct ip_header *h;
	struct msg m;
	int result;

	if (!too_many())
		session = icmp_open(self, swap32(report->ip->source));
	if (!session) {
		icmp_counts.reports_suppressed++;
		return XK_ERROR;
	}
	if (msg_init_bytes(&m, sizeof *h + 8)) {
		icmp_counts.no_memory++;
		xClose(session);
		return XK_NO_MEMORY;
	}
	h = (void *)m.head;
	quote(h, report->ip, report->fragment);
	((uint32_t *)(void *)(h + 1))[0] = ((const uint32_t *)report->payload)[0];
	((uint32_t *)(void *)(h + 1))[1] = ((const uint32_t *)report->payload)[1];
	icmp_counts.reports_sent++;
	result = icmp_send(session, &m, report->type | report->code << 8, 0);
	msg_destroy(&m);
	xClose(session);
	return result;
}
