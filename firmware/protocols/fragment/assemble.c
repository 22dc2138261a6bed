/* SPDX-License-Identifier: BSD-2-Clause */
/* From fragments to a datagram. */
#include "protocols/fragment/fragment_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/console.h"
#include "xkernel/memory/allocate.h"

enum { MORE = 0x2000, OFFSET = 0x1fff, UNIT = 8 };

static struct datagram *find(uint64_t addresses, uint64_t protocol_ident)
{
	struct datagram *d = fragments.oldest;

	while (d && (d->addresses != addresses || d->protocol_ident != protocol_ident))
		d = d->next;
	return d;
}

static void evict_oldest(void)
{
	fragment_counts.evicted++;
	datagram_free(fragments.oldest);
}

/* The youngest, at the list's end. NULL: no memory. */
static struct datagram *start(uint64_t addresses, uint64_t protocol_ident)
{
	struct datagram **link = &fragments.oldest, *d;

	if (fragments.datagrams >= FRAGMENT_MAX_DATAGRAMS)
		evict_oldest();
	d = xk_allocate_zeroed(sizeof *d);
	if (!d)
		return NULL;
	d->addresses = addresses;
	d->protocol_ident = protocol_ident;
	while (*link)
		link = &(*link)->next;
	*link = d;
	fragments.datagrams++;
	return d;
}

/* Bytes [from, to) of a fragment that begins at `offset`, between *link and what is before it. */
static int put(struct datagram *d, struct piece **link, struct msg *m, uint32_t offset,
	       uint32_t from, uint32_t to)
{
	struct piece *p = xk_allocate(sizeof *p);

	if (!p)
		return -1;
	p->offset = from;
	p->bytes = to - from;
	msg_share(&p->msg, m);
	if (from != offset)
		msg_discard(&p->msg, from - offset);
	msg_truncate(&p->msg, p->bytes);
	p->next = *link;
	*link = p;
	d->held += p->bytes;
	d->pieces++;
	fragments.pieces++;
	return 0;
}

/* Fills the holes that the fragment covers: what came first wins. -1: no memory for all of them.
 */
static int insert(struct datagram *d, struct msg *m, uint32_t offset)
{
	uint32_t end = offset + (uint32_t)msg_bytes(m), at = offset, new = 0;
	struct piece **link = &d->first;

	while (at < end) {
		struct piece *p = *link;
		uint32_t hole = p && p->offset < end ? p->offset : end;

		if (at < hole) {
			if (put(d, link, m, offset, at, hole))
				return -1;
			new += hole - at;
			link = &(*link)->next;
			at = hole;
		}
		if (!p || at >= end)
			break;
		if (at < p->offset + p->bytes)
			at = p->offset + p->bytes;
		link = &p->next;
	}
	if (!new)
		fragment_counts.duplicates++;
	else if (new != end - offset)
		fragment_counts.overlaps++;
	return 0;
}

/* Does it fit to what is known of the datagram's end? */
static int is_consistent(struct datagram *d, uint32_t end, uint32_t more)
{
	const struct piece *p = d->first;

	if (d->end)
		return more ? end <= d->end : end == d->end;
	if (more)
		return 1;
	while (p && p->next)
		p = p->next;
	if (p && p->offset + p->bytes > end)
		return 0;
	d->end = end;
	return 1;
}

/* m := the whole datagram, which is forgotten here. -1: no memory. */
static int join(struct datagram *d, struct msg *m)
{
	struct msg whole;
	uint32_t bytes = d->end;
	int failed = 0;

	msg_share(&whole, &d->first->msg);
	for (struct piece *p = d->first->next; p && !failed; p = p->next)
		failed = msg_join(&whole, &p->msg);
	datagram_free(d);
	if (failed) {
		msg_destroy(&whole);
		return -1;
	}
	if (XK_CHECKS && msg_bytes(&whole) != bytes)
		console_fail("ip_assemble", "pieces are not as long as their datagram");
	msg_destroy(m);
	*m = whole;
	return 0;
}

int ip_assemble(const struct ip_header *h, struct msg *m)
{
	uint32_t field = swap16(h->fragment >> 16), more = field & MORE;
	uint32_t offset = (field & OFFSET) * UNIT, bytes = (uint32_t)msg_bytes(m);
	uint64_t addresses = (uint64_t)h->source << 32 | h->destination;
	uint64_t protocol_ident = (h->ttl_protocol >> 8 & 0xff) << 16 | (h->fragment & 0xffff);
	struct datagram *d;

	if (!fragments.running) {
		ip_counts.fragments_refused++;
		return -1;
	}
	fragment_counts.received++;
	if (!bytes || (more && bytes % UNIT) || offset + bytes > IP_MAX_BYTES - IP_HEADER_BYTES) {
		fragment_counts.malformed++;
		return -1;
	}
	while (fragments.pieces >= FRAGMENT_MAX_PIECES)
		evict_oldest();
	d = find(addresses, protocol_ident);
	if (!d)
		d = start(addresses, protocol_ident);
	if (!d) {
		fragment_counts.no_memory++;
		return -1;
	}
	if (!is_consistent(d, offset + bytes, more)) {
		fragment_counts.inconsistent++;
		return -1;
	}
	if (insert(d, m, offset)) {
		fragment_counts.no_memory++;
		return -1;
	}
	if (!d->end || d->held != d->end)
		return -1;
	if (join(d, m)) {
		fragment_counts.no_memory++;
		return -1;
	}
	fragment_counts.reassembled++;
	return 0;
}
