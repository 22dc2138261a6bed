/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, and the scan that frees what stays incomplete. */
#include "platform/platform.h"
#include "protocols/fragment/fragment_private.h"
#include "protocols/icmp/icmp.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/allocate.h"

struct fragment_counts fragment_counts;
struct fragments fragments;

void datagram_free(struct datagram *d)
{
	struct datagram **link = &fragments.oldest;

	while (*link != d)
		link = &(*link)->next;
	*link = d->next;
	fragments.datagrams--;
	fragments.pieces -= d->pieces;
	while (d->first) {
		struct piece *p = d->first;

		d->first = p->next;
		msg_destroy(&p->msg);
		xk_free(p);
	}
	xk_free(d);
}

/* RFC 1122 3.3.2: the sender is told if the first fragment is here, and only if it was to us. */
static void report(struct datagram *d)
{
	struct xobj *icmp = fragments.self->down[1];
	struct piece *p = d->first;
	struct ip_info ip = { .source = (uint32_t)(d->addresses >> 32),
			      .destination = (uint32_t)d->addresses };
	struct icmp_report r = { .type = ICMP_TIME_EXCEEDED, .code = ICMP_REASSEMBLY, .ip = &ip };

	if (!icmp || !p || p->offset || p->bytes < 8 ||
	    ip.destination != swap32((uint32_t)plat_boot()->ip))
		return;
	ip.protocol = (uint32_t)(d->protocol_ident >> 16);
	ip.bytes = p->bytes;
	r.fragment = (uint32_t)(d->protocol_ident & 0xffff) | swap16(FRAGMENT_MORE) << 16;
	r.payload = msg_pop(&p->msg, 8);
	if (r.payload)
		xControl(icmp, ICMP_REPORT, &r, sizeof r);
}

static void scan(void *arg)
{
	struct datagram *d, *next;

	for (d = fragments.oldest; d; d = next) {
		next = d->next;
		if (d->scanned) {
			fragment_counts.timed_out++;
			report(d);
			datagram_free(d);
		} else {
			d->scanned = 1;
		}
	}
	event_schedule(&fragments.scan, scan, NULL, FRAGMENT_SCAN_US);
}

int fragment_init(struct xobj *self)
{
	fragments.self = self;
	fragments.running = 1;
	event_schedule(&fragments.scan, scan, NULL, FRAGMENT_SCAN_US);
	return XK_OK;
}
