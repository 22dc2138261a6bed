/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: putting one segment together. */
#include "protocols/tcp/output/tcp_output.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

/* Header in front of m, checksum over all. NULL: no memory. */
static struct tcp_header *put_header(struct msg *m, uint32_t ports, uint32_t sequence, uint32_t ack,
				     uint32_t flags, uint32_t window, uint32_t segment_limit)
{
	uint32_t bytes = TCP_HEADER_BYTES + (segment_limit ? TCP_OPTION_BYTES : 0);
	struct tcp_header *h = msg_push(m, bytes);

	if (PREDICT_FALSE(!h))
		return NULL;
	h->ports = ports;
	h->sequence = swap32(sequence);
	h->ack = swap32(ack);
	h->offset_flags_window = bytes << 2 | flags << 8 | swap16(window >> TCP_WINDOW_SHIFT) << 16;
	h->checksum_urgent = 0;
	if (PREDICT_FALSE(segment_limit))
		*(uint32_t *)(void *)(h + 1) =
		    TCP_OPTION_SEGMENT_MAX | TCP_OPTION_BYTES << 8 | swap16(segment_limit) << 16;
	return h;
}

static int send(struct xobj *ip_session, struct msg *m, struct tcp_header *h, uint64_t pseudo_sum)
{
	if (XK_MP)
		return tcp_send_later(ip_session, m, h, pseudo_sum);
	pseudo_sum += swap16((uint32_t)msg_bytes(m));
	h->checksum_urgent = checksum_fold(checksum_add_msg(pseudo_sum, m));
	COUNT(tcp_counts, segments_sent);
	return xPush(ip_session, m);
}

int tcp_send_segment(struct xobj *s, uint32_t sequence, uint32_t from, uint32_t bytes,
		     uint32_t flags, uint32_t window)
{
	struct tcp *t = s->state;
	struct tcp_header *h;
	struct msg m;
	int result = XK_NO_MEMORY;

	if (bytes) {
		int failed;

		tcp_lock_queue(t);
		failed = tcp_queue_share(&t->queue, from, bytes, &m);
		tcp_unlock_queue(t);
		if (PREDICT_FALSE(failed))
			return XK_NO_MEMORY;
	} else {
		msg_init_empty(&m);
	}
	h = put_header(&m, t->template_ports, sequence, flags & TCP_ACK ? t->receive_next : 0,
		       flags, window, flags & TCP_SYN ? t->segment_limit : 0);
	if (PREDICT_TRUE(h))
		result = send(s->down[0], &m, h, t->pseudo_sum);
	msg_destroy(&m);
	return result;
}

void tcp_respond(struct xobj *ip_session, const struct tcp_segment *in, uint32_t sequence,
		 uint32_t ack, uint32_t flags)
{
	struct msg m;
	struct tcp_header *h;

	msg_init_empty(&m);
	h = put_header(&m, in->ports >> 16 | in->ports << 16, sequence, ack, flags, 0, 0);
	if (h)
		send(ip_session, &m, h,
		     (uint64_t)in->ip->source + in->ip->destination + swap16(TCP_PROTOCOL));
	else
		COUNT(tcp_counts, no_memory);
	msg_destroy(&m);
}

/* RFC 793, "Reset Generation". Never in answer to a reset. */
void tcp_reset(struct xobj *ip_session, const struct tcp_segment *in)
{
	if (in->flags & TCP_RST)
		return;
	COUNT(tcp_counts, resets_sent);
	if (in->flags & TCP_ACK)
		tcp_respond(ip_session, in, in->ack, 0, TCP_RST);
	else
		tcp_respond(ip_session, in, 0,
			    in->sequence + in->bytes + !!(in->flags & TCP_SYN) +
				!!(in->flags & TCP_FIN),
			    TCP_RST | TCP_ACK);
}

#if XK_MP
void tcp_send_piece(struct xobj *s, struct tcp_piece *piece)
{
	struct tcp *t = s->state;
	struct tcp_header *h;

	tcp_lock_prepend(t);
	h = put_header(&piece->m, t->template_ports, piece->sequence, piece->ack, piece->flags,
		       piece->window, 0);
	if (XK_MP_CHECKSUM && PREDICT_TRUE(h)) {
		uint64_t sum = t->pseudo_sum + swap16((uint32_t)msg_bytes(&piece->m));

		h->checksum_urgent = checksum_fold(checksum_add_msg(sum, &piece->m));
	}
	tcp_unlock_prepend(t);
	if (PREDICT_FALSE(!h)) {
		COUNT(tcp_counts, no_memory);
	} else {
		COUNT(tcp_counts, segments_sent);
		xPush(s->down[0], &piece->m);
	}
	msg_destroy(&piece->m);
}
#endif
