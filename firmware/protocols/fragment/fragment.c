/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, and the scan that frees what stays incomplete. */
#include "protocols/fragment/fragment_private.h"
#include "xkernel/allocate.h"

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

static void scan(void *arg)
{
	struct datagram *d, *next;

	(void)arg;
	for (d = fragments.oldest; d; d = next) {
		next = d->next;
		if (d->scanned) {
			fragment_counts.timed_out++;
			datagram_free(d);
		} else {
			d->scanned = 1;
		}
	}
	event_schedule(&fragments.scan, scan, NULL, FRAGMENT_SCAN_US);
}

int fragment_init(struct xobj *self)
{
	(void)self;
	fragments.running = 1;
	event_schedule(&fragments.scan, scan, NULL, FRAGMENT_SCAN_US);
	return XK_OK;
}
