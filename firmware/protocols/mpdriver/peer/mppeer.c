/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver: start-up, and what TCP pushes. */
#include "protocols/mpdriver/peer/mppeer_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

struct mppeer_counts mppeer_counts PER_CPU;
struct mppeer mppeer;
struct mppeer_connection mppeer_connections[XK_CPUS];
struct mppeer_own mppeer_own[XK_CPUS];

static int checksum_is_good(const struct msg *m)
{
	const struct tcp_header *h = (const struct tcp_header *)(m->head + MPDRIVER_HEADERS);
	size_t front = msg_front_bytes(m) - MPDRIVER_HEADERS, all = msg_bytes(m) - MPDRIVER_HEADERS;
	uint64_t sum = checksum_add(mpdriver_pseudo_sum(TCP_PROTOCOL, all), h, front);
	struct msg rest = *m;

	rest.head = rest.tail;
	return checksum_fold(checksum_add_msg(sum, &rest)) == 0;
}

static int push(struct xobj *session, struct msg *m)
{
	const struct tcp_header *h;
	uint32_t k, flags, bytes;

	if (msg_front_bytes(m) < MPPEER_HEADERS ||
	    (XK_CHECKS && XK_MP_CHECKSUM && !checksum_is_good(m))) {
		COUNT(mppeer_counts, bad);
		return XK_ERROR;
	}
	h = (const struct tcp_header *)(m->head + MPDRIVER_HEADERS);
	k = swap16(h->ports >> 16) - MPPEER_PORT;
	if (k >= XK_CPUS) {
		COUNT(mppeer_counts, bad);
		return XK_ERROR;
	}
	flags = h->offset_flags_window >> 8 & 0x3f;
	bytes = (uint32_t)msg_bytes(m) - MPDRIVER_HEADERS - (h->offset_flags_window >> 2 & 0x3c);
	if (flags & TCP_SYN)
		mppeer_syn_input(&mppeer_connections[k], h);
	if (bytes || (flags & TCP_FIN))
		mppeer_data_input(&mppeer_connections[k], swap32(h->sequence), bytes, flags);
	else if (flags & TCP_ACK)
		mppeer_ack_input(&mppeer_connections[k], h);
	return XK_OK;
}

static const struct xobj_ops session_ops = { XOBJ_DEFAULTS, .push = push };

static struct xobj *open_session(struct xobj *self, struct xobj *receiver, struct xobj *type,
				 struct part *parts)
{
	mppeer.session = xCreateSession(self, &session_ops, receiver, type, NULL, 0);
	return mppeer.session ? xDuplicate(mppeer.session) : NULL;
}

static const struct xobj_ops protocol_ops = { XOBJ_DEFAULTS, .open = open_session };

int mppeer_init(struct xobj *self)
{
	self->ops = &protocol_ops;
	return XK_OK;
}

int mppeer_start(size_t bytes, int fresh)
{
	mppeer.bytes = bytes;
	mppeer.fresh = fresh;
	for (int i = 0; i < XK_CPUS; i++)
		if (mppeer_make(&mppeer_own[i].answer, 0) ||
		    mppeer_make(&mppeer_own[i].data, bytes))
			return XK_NO_MEMORY;
	return XK_OK;
}
