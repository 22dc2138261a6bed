/* SPDX-License-Identifier: BSD-2-Clause */
/* The peer that receives: every other segment is acknowledged, on the stack of who pushed it. */
#include "protocols/mpdriver/peer/mppeer_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/percpu/percpu.h"

/* TCP opens the connection, or answers ours. */
void mppeer_syn_input(struct mppeer_connection *c, const struct tcp_header *h)
{
	uint32_t next = swap32(h->sequence) + 1, ports = h->ports >> 16 | h->ports << 16;

	atomic_write(&c->highest, next);
	if (h->offset_flags_window >> 8 & TCP_ACK)
		return;
	c->ports = ports;
	atomic_write(&c->next, MPPEER_INITIAL + 1);
	if (mppeer_syn(c, next, TCP_SYN | TCP_ACK) != XK_OK)
		COUNT(mppeer_counts, bad);
}

/* A segment that TCP sends because of an answer comes back here. It is answered when that answer is
 * over, or the stack would grow with each. */
static void answer(const struct mppeer_connection *c, uint32_t flags)
{
	struct mppeer_own *own = &mppeer_own[percpu_number()];

	if (own->answers) {
		own->owed = 1;
		return;
	}
	own->answers = 1;
	do {
		own->owed = 0;
		COUNT(mppeer_counts, acks_sent);
		mppeer_up(&own->answer, c, (uint32_t)atomic_read(&c->next),
			  (uint32_t)atomic_look(&c->highest), TCP_ACK | flags);
	} while (own->owed);
	own->answers = 0;
}

/* Every other one; each at first, as slow start wants it. */
static void counted(struct mppeer_connection *c)
{
	uint64_t n = atomic_add(&c->packets, 1);

	if (n % 2 || n * mppeer.bytes < MPPEER_EACH)
		answer(c, 0);
}

void mppeer_data_input(struct mppeer_connection *c, uint32_t sequence, uint32_t bytes,
		       uint32_t flags)
{
	uint32_t fin = flags & TCP_FIN;

	if (bytes) {
		COUNT(mppeer_counts, received);
		ADD_COUNT(mppeer_counts, received_bytes, bytes);
	}
	if (!mppeer_later(&c->highest, sequence + bytes + fin))
		COUNT(mppeer_counts, misordered);
	if (fin)
		answer(c, TCP_FIN); /* it has no more to send either */
	else
		counted(c);
}
