/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides what to send now, and makes the segment: one function, as in BSD. */
#include "bsd/error.h"
#include "bsd/tcp/tcp_var.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/memory.h"
#include "xkernel/switches.h"

static const uint8_t flags_in_state[] = {
	[TCPS_CLOSED] = 0,
	[TCPS_LISTEN] = 0,
	[TCPS_SYN_SENT] = TH_SYN,
	[TCPS_SYN_RECEIVED] = TH_SYN | TH_ACK,
	[TCPS_ESTABLISHED] = TH_ACK,
	[TCPS_CLOSE_WAIT] = TH_ACK,
	[TCPS_FIN_WAIT_1] = TH_FIN | TH_ACK,
	[TCPS_CLOSING] = TH_FIN | TH_ACK,
	[TCPS_LAST_ACK] = TH_FIN | TH_ACK,
	[TCPS_FIN_WAIT_2] = TH_ACK,
	[TCPS_TIME_WAIT] = TH_ACK,
};

/* The window that is offered: never silly and small, never less than was promised. */
static inline uint32_t offered_window(const struct tcpcb *t, const struct socket_buffer *sb)
{
	uint32_t window = sbspace(sb), promised = t->receive_advertised - t->receive_next;

	if (window < sb->bytes_limit / 4 && window < t->segment_max)
		window = 0;
	if (window < promised)
		window = promised;
	return smaller(window, WINDOW_MAX);
}

/* Is the window so much larger than the peer knows? Two segments, or a third of the most. */
static inline int window_is_news(const struct tcpcb *t, uint32_t window, uint32_t most)
{
	uint32_t news = window - (t->receive_advertised - t->receive_next);

	if (t->state < TCPS_ESTABLISHED || news == 0)
		return 0;
	return news >= (uint32_t)t->segment_max << 1 || news + (news << 1) >= most;
}

static inline int data_should_go(const struct tcpcb *t, uint32_t from, uint32_t bytes,
				 uint32_t queued)
{
	if (bytes == t->segment_max || t->force)
		return 1;
	if ((t->send_max == t->send_una || t->flags & TF_NO_DELAY) && from + bytes >= queued)
		return 1;
	return bytes >= t->send_window_max / 2 || seq_lt(t->send_next, t->send_max);
}

/* Sequence numbers and timers as if the segment were on its way, even if memory or the ring are
 * full: that is a loss like any other. */
static inline void account(struct tcpcb *t, uint32_t bytes, uint32_t flags)
{
	uint32_t start = t->send_next;

	if (PREDICT_FALSE(t->force) && t->timer[TIMER_PERSIST]) {
		if (seq_lt(t->send_max, start + bytes))
			t->send_max = start + bytes;
		return;
	}
	if (flags & TH_SYN)
		t->send_next++;
	t->send_next += bytes;
	if (flags & TH_FIN) {
		t->flags |= TF_FIN_SENT;
		t->send_next++;
	}
	if (seq_lt(t->send_max, t->send_next)) {
		t->send_max = t->send_next;
		if (!t->rtt) {
			t->rtt = 1;
			t->rtt_sequence = start;
		}
	}
	if (!t->timer[TIMER_RETRANSMIT] && t->send_next != t->send_una) {
		t->timer[TIMER_RETRANSMIT] = t->rto;
		if (PREDICT_FALSE(t->timer[TIMER_PERSIST])) {
			t->timer[TIMER_PERSIST] = 0;
			t->backoff = 0;
		}
	}
}

/* An mbuf with room for the headers, and the text: copied if it is short, else shared. NULL: no
 * memory. */
static inline struct mbuf *segment_of(const struct socket_buffer *sb, uint32_t from, uint32_t bytes,
				      uint32_t header)
{
	struct mbuf *m = mbuf_take(M_PACKET);

	if (PREDICT_FALSE(!m))
		return NULL;
	m->data += LINK_ROOM;
	m->bytes = header;
	if (bytes && bytes <= PACKET_INSIDE - LINK_ROOM - header) {
		m_copydata(sb->first, from, bytes, m->data + header);
		m->bytes += bytes;
	} else if (bytes) {
		m->next = m_copym(sb->first, from, bytes);
		if (PREDICT_FALSE(!m->next)) {
			m_freem(m);
			return NULL;
		}
	}
	m->packet_bytes = header + bytes;
	return m;
}

int tcp_output(struct tcpcb *t)
{
	struct socket *so = t->inpcb->socket;
	uint32_t flags, window, from, queued, bytes, offer, sequence, header, owed;
	struct tcpiphdr *h;
	struct mbuf *m;
	struct ip *ip;
	int more, error;

again:
	more = 0;
	bytes = 0;
	flags = flags_in_state[t->state];
	window = smaller(t->send_window, t->congestion_window);
	from = t->send_next - t->send_una;
	queued = t->state >= TCPS_ESTABLISHED ? so->send.bytes : 0;
	if (PREDICT_FALSE(!flags))
		return 0;
	if (PREDICT_FALSE(t->force)) {
		if (window == 0) {
			window = 1;
		} else {
			t->timer[TIMER_PERSIST] = 0;
			t->backoff = 0;
		}
	}
	if (smaller(queued, window) > from)
		bytes = smaller(queued, window) - from;
	if (bytes > t->segment_max) {
		bytes = t->segment_max;
		more = 1;
	}
	if (from + bytes < queued || (t->flags & TF_FIN_SENT && from > queued) ||
	    (t->force && t->timer[TIMER_PERSIST]))
		flags &= ~(uint32_t)TH_FIN; /* not yet, already beyond it, or no room */
	if (PREDICT_FALSE(flags & TH_SYN) && from && !(t->flags & TF_ACK_NOW))
		return 0; /* the SYN is on its way */
	offer = offered_window(t, &so->receive);
	if (bytes && data_should_go(t, from, bytes, queued))
		goto send;
	if (t->flags & TF_ACK_NOW || flags & (TH_SYN | TH_FIN))
		goto send;
	if (window_is_news(t, offer, so->receive.bytes_limit)) {
		tcpstat.window_updates++;
		goto send;
	}
	if (queued)
		tcp_probe_if_stuck(t);
	return 0;

send:
	header = TCPIP_HEADER;
	if (PREDICT_FALSE(flags & TH_SYN)) {
		t->send_next = t->send_initial;
		header += TCP_SEGMENT_OPTION;
	}
	sequence = t->send_next;
	if (bytes && from + bytes == queued)
		flags |= TH_PUSH;
	if (!bytes && !(flags & (TH_SYN | TH_FIN))) {
		tcpstat.pure_acks_sent++;
		if (queued)
			tcp_probe_if_stuck(t);
		if (!t->timer[TIMER_PERSIST])
			sequence = t->send_max;
	}
	account(t, bytes, flags);
	owed = t->flags & (TF_ACK_NOW | TF_ACK_DELAYED);
	t->flags &= (tcp_short) ~(TF_ACK_NOW | TF_ACK_DELAYED);
	if (seq_lt(t->receive_advertised, t->receive_next + offer))
		t->receive_advertised = t->receive_next + offer;
	error = BSD_ENOBUFS;
	m = segment_of(&so->send, from, bytes, header);
	if (PREDICT_FALSE(!m)) {
		tcpstat.no_memory++;
		goto failed;
	}
	h = (struct tcpiphdr *)(void *)m->data;
	*h = t->header;
	h->sequence = swap32(sequence);
	if (flags & TH_ACK)
		h->ack = swap32(t->receive_next);
	if (PREDICT_FALSE(header > TCPIP_HEADER)) {
		uint8_t *option = (uint8_t *)(h + 1);

		h->header_words = (TCP_HEADER + TCP_SEGMENT_OPTION) / 4;
		option[0] = OPTION_SEGMENT_MAX;
		option[1] = TCP_SEGMENT_OPTION;
		option[2] = (uint8_t)(t->segment_limit >> 8);
		option[3] = (uint8_t)t->segment_limit;
	}
	h->flags = (uint8_t)flags;
	h->window = (uint16_t)swap16(offer);
	h->length = (uint16_t)swap16(header - IP_HEADER + bytes);
	h->check = in_cksum(m, header + bytes);
	ip = (struct ip *)(void *)m->data;
	ip->bytes = (uint16_t)(header + bytes);
	ip->service = 0;
	ip->ttl = IP_SEND_TTL;
	tcpstat.segments_sent++;
	error = ip_output(m, &t->inpcb->route);
	if (PREDICT_FALSE(error))
		tcpstat.transmit_full++;
failed:
	if (PREDICT_FALSE(error)) {
		if (owed) /* the 200 ms timer will try again */
			t->flags |= TF_ACK_DELAYED;
		return error;
	}
	if (more)
		goto again;
	return 0;
}
