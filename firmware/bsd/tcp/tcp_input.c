/* SPDX-License-Identifier: BSD-2-Clause */
/* A segment that has come, in RFC 793's order: sequence, RST, SYN, ACK, text, FIN. The steps of a
 * segment in an open connection are one function, as in BSD: they are inline. */
#include "bsd/error.h"
#include "bsd/tcp/tcp_var.h"
#include "xkernel/byteorder.h"
#include "xkernel/switches.h"

#if BSD_LOCKS
struct simple_lock tcp_lookup; /* of the list and its cache */
#endif

/* The peer's maximum segment size, or 0. Stops at the first malformed option. */
static __attribute__((noinline)) uint32_t segment_max_option(const struct mbuf *m, uint32_t bytes)
{
	uint8_t options[TCP_OPTIONS_MOST];
	const uint8_t *option = options;

	m_copydata(m, TCPIP_HEADER, bytes, options);
	while (bytes && *option != OPTION_END) {
		uint32_t length = 1;

		if (*option != OPTION_NONE) {
			if (bytes < 2 || option[1] < 2 || option[1] > bytes)
				return 0;
			length = option[1];
			if (*option == OPTION_SEGMENT_MAX && length == TCP_SEGMENT_OPTION)
				return (uint32_t)option[2] << 8 | option[3];
		}
		option += length;
		bytes -= length;
	}
	return 0;
}

/* The window that the peer has been told: room that it has not heard of is not there for it. */
static inline uint32_t receive_window(const struct tcpcb *t)
{
	uint32_t promised = t->receive_advertised - t->receive_next;

	return smaller(t->inpcb->socket->receive.bytes_limit, promised);
}

static void reset_input(struct tcpcb *t, const struct segment *g)
{
	uint32_t window = receive_window(t), offset = g->sequence - t->receive_next;

	if (offset >= window && !(window == 0 && offset == 0)) {
		tcpstat.reset_outside_window++;
		return;
	}
	switch (t->state) {
	case TCPS_SYN_RECEIVED:
		tcp_drop(t, BSD_ECONNREFUSED);
		break;
	case TCPS_CLOSING:
	case TCPS_LAST_ACK:
	case TCPS_TIME_WAIT:
		tcp_close(t);
		break;
	default:
		tcp_drop(t, BSD_ECONNRESET);
		break;
	}
}

static void drop_text(struct segment *g)
{
	m_trim(g->m, 0);
	g->bytes = 0;
	g->flags &= ~(uint32_t)(TH_FIN | TH_PUSH);
}

/* Bytes in front of the next one have come before. */
static void trim_front(struct tcpcb *t, struct segment *g)
{
	uint32_t old = t->receive_next - g->sequence;

	t->flags |= TF_ACK_NOW;
	if (g->flags & TH_SYN) {
		g->flags &= ~(uint32_t)TH_SYN;
		g->sequence++;
		old--;
		if (!old)
			return;
	}
	tcpstat.duplicates++;
	if (old > g->bytes || (old == g->bytes && !(g->flags & TH_FIN))) {
		/* All of it. Its ACK may still be news; its window is not, by its sequence. */
		if (t->state == TCPS_TIME_WAIT && g->flags & TH_FIN)
			t->timer[TIMER_WAIT] = TWO_MSL;
		drop_text(g);
		return;
	}
	m_adj(g->m, old);
	g->sequence += old;
	g->bytes -= old;
}

/* Bytes beyond the window. 1: nothing of it lies in the window. */
static int trim_back(struct tcpcb *t, struct segment *g, uint32_t window)
{
	uint32_t offset = g->sequence - t->receive_next;

	t->flags |= TF_ACK_NOW;
	tcpstat.beyond_window++;
	if (offset >= window) {
		if (offset)
			return 1;
		drop_text(g); /* a window probe: its ACK counts */
		return 0;
	}
	m_trim(g->m, window - offset);
	g->bytes = window - offset;
	g->flags &= ~(uint32_t)(TH_FIN | TH_PUSH);
	return 0;
}

/* The third ACK in a row for the same byte: a segment is missing, others arrive. */
static void fast_retransmit(struct tcpcb *t)
{
	uint32_t next = t->send_next;

	tcpstat.fast_retransmits++;
	tcp_congestion_cut(t);
	t->timer[TIMER_RETRANSMIT] = 0;
	t->rtt = 0;
	t->send_next = t->send_una;
	tcp_output(t);
	if (seq_lt(t->send_next, next))
		t->send_next = next;
}

static void old_ack(struct tcpcb *t, const struct segment *g)
{
	if (g->bytes || g->window != t->send_window || g->ack != t->send_una ||
	    !t->timer[TIMER_RETRANSMIT] || g->flags & TH_FIN) {
		t->duplicate_acks = 0;
		return;
	}
	if (t->duplicate_acks < DUPLICATE_ACKS && ++t->duplicate_acks == DUPLICATE_ACKS)
		fast_retransmit(t);
}

/* 1: our FIN is among what has been acknowledged. */
static inline int new_ack(struct tcpcb *t, struct socket *so, uint32_t ack, uint32_t syn)
{
	uint32_t acked = ack - t->send_una - syn;
	int fin = t->flags & TF_FIN_SENT && acked > so->send.bytes;

	t->duplicate_acks = 0;
	if (t->rtt && seq_lt(t->rtt_sequence, ack))
		tcp_xmit_timer(t);
	if (PREDICT_FALSE(t->backoff > MAX_BACKOFF))
		t->backoff = MAX_BACKOFF; /* progress: the tries are counted anew */
	if (ack == t->send_max)
		t->timer[TIMER_RETRANSMIT] = 0;
	else if (!t->timer[TIMER_PERSIST])
		t->timer[TIMER_RETRANSMIT] = t->rto;
	if (!syn)
		tcp_congestion_open(t);
	sbdrop(&so->send, smaller(acked, so->send.bytes));
	t->send_una = ack;
	if (seq_lt(t->send_next, t->send_una))
		t->send_next = t->send_una;
	if (sb_notify(so, &so->send))
		sowakeup(so, &so->send);
	return fin;
}

/* Not from a segment older than the one the window is from; with equal numbers the last one counts
 * (RFC 9293 3.10.7.4). */
static inline void window_input(struct tcpcb *t, const struct segment *g)
{
	if (!seq_lt(t->window_sequence, g->sequence) &&
	    (t->window_sequence != g->sequence || seq_lt(g->ack, t->window_ack)))
		return;
	t->send_window = g->window;
	t->window_sequence = g->sequence;
	t->window_ack = g->ack;
	if (t->send_window_max < g->window)
		t->send_window_max = g->window;
	if (PREDICT_FALSE(!g->window))
		tcp_window_shut(t);
	else if (t->timer[TIMER_PERSIST])
		tcp_window_opens(t);
}

/* Our FIN has arrived. 1: the connection is gone. */
static int fin_acked(struct tcpcb *t)
{
	switch (t->state) {
	case TCPS_FIN_WAIT_1:
		t->state = TCPS_FIN_WAIT_2;
		if (t->inpcb->socket->state & SOCKET_NO_USER)
			t->timer[TIMER_WAIT] = FIN_WAIT_2_MAX;
		return 0;
	case TCPS_CLOSING:
		tcp_time_wait(t);
		return 0;
	case TCPS_LAST_ACK:
		tcp_close(t);
		return 1;
	default:
		return 0;
	}
}

static void fin_input(struct tcpcb *t)
{
	t->receive_next++;
	if (seq_lt(t->receive_advertised, t->receive_next)) /* into a shut window */
		t->receive_advertised = t->receive_next;
	t->flags |= TF_ACK_NOW;
	switch (t->state) {
	case TCPS_ESTABLISHED:
		t->state = TCPS_CLOSE_WAIT;
		break;
	case TCPS_FIN_WAIT_1:
		t->state = TCPS_CLOSING;
		break;
	default:
		tcp_time_wait(t);
		return;
	}
	socantrcvmore(t->inpcb->socket);
}

static inline int may_receive(const struct tcpcb *t)
{
	return t->state == TCPS_ESTABLISHED || t->state == TCPS_FIN_WAIT_1 ||
	       t->state == TCPS_FIN_WAIT_2;
}

/* Takes what a transfer in one direction makes expected (Jacobson 1990). 1: it is dealt with. */
static inline int predict(struct tcpcb *t, struct socket *so, struct segment *g, uint32_t header)
{
	if (t->state != TCPS_ESTABLISHED || (g->flags & ~(uint32_t)TH_PUSH) != TH_ACK ||
	    g->sequence != t->receive_next || !g->window || g->window != t->send_window ||
	    t->send_next != t->send_max)
		return 0;
	if (!g->bytes) {
		if (!seq_lt(t->send_una, g->ack) || seq_lt(t->send_max, g->ack) ||
		    t->congestion_window < t->send_window)
			return 0;
		tcpstat.predicted_acks++;
		m_freem(g->m);
		t->window_ack = g->ack; /* or window updates look old after 2 GB */
		new_ack(t, so, g->ack, 0);
		if (so->send.bytes)
			tcp_output(t);
		return 1;
	}
	if (g->ack != t->send_una || t->early || g->bytes > sbspace(&so->receive) ||
	    g->bytes > t->receive_advertised - t->receive_next)
		return 0;
	tcpstat.predicted_data++;
	t->window_sequence = g->sequence;
	t->window_ack = g->ack;
	t->receive_next += g->bytes;
	m_adj(g->m, header);
	sbappend(&so->receive, g->m);
	t->flags |= t->flags & TF_ACK_DELAYED ? TF_ACK_NOW : TF_ACK_DELAYED;
	sowakeup(so, &so->receive);
	if (t->flags & TF_ACK_NOW)
		tcp_output(t);
	return 1;
}

/* Text of a segment: to the socket, or to those that came early. 1: the peer's FIN is next. */
static inline int text_input(struct tcpcb *t, struct socket *so, struct segment *g)
{
	int fin = (g->flags & TH_FIN) != 0;

	if (PREDICT_FALSE(g->sequence != t->receive_next)) {
		tcpstat.out_of_order++;
		tcp_insert_early(t, g);
		t->flags |= TF_ACK_NOW;
		return 0;
	}
	if (PREDICT_FALSE(t->early != NULL)) {
		t->flags |= TF_ACK_NOW; /* a gap is closed */
		fin = tcp_reass(t, g);
		sowakeup(so, &so->receive);
		return fin;
	}
	if (PREDICT_FALSE(!g->bytes)) {
		m_freem(g->m);
		return fin;
	}
	/* A second segment is acknowledged at once (RFC 1122 4.2.3.2). */
	t->flags |= t->flags & TF_ACK_DELAYED ? TF_ACK_NOW : TF_ACK_DELAYED;
	t->receive_next += g->bytes;
	sbappend(&so->receive, g->m);
	sowakeup(so, &so->receive);
	return fin;
}

/* A new connection from the same place, while we wait for stragglers of the old (RFC 1122
 * 4.2.2.13). 1: the old one is gone. */
static int reopens(struct tcpcb *t, const struct segment *g)
{
	const struct inpcb *p = t->inpcb;

	if ((g->flags & (TH_SYN | TH_ACK | TH_RST)) != TH_SYN ||
	    seq_leq(g->sequence, t->receive_next) ||
	    !in_pcblookup(&tcb, 0, 0, p->local_host, p->local_port, 1))
		return 0;
	if (seq_leq(tcp_next_initial, t->send_max))
		tcp_next_initial = t->send_max + INITIAL_STEP;
	tcp_close(t);
	return 1;
}

/* The fields of a segment's header, in host order there too. 1: it is right; 0: it is gone. */
static inline int header_input(struct mbuf **packet, uint32_t header, struct segment *g)
{
	const struct ip *ip = (const struct ip *)(const void *)(*packet)->data;
	uint32_t total = ip->bytes, words;
	struct mbuf *m = *packet;
	struct tcpiphdr *h;

	tcpstat.segments_received++;
	if (PREDICT_FALSE(header > IP_HEADER))
		ip_strip_options(m);
	if (PREDICT_FALSE(total < TCP_HEADER)) {
		tcpstat.too_short++;
		m_freem(m);
		return 0;
	}
	if (PREDICT_FALSE(m->bytes < TCPIP_HEADER) && !(m = m_pullup(m, TCPIP_HEADER))) {
		tcpstat.no_memory++;
		return 0;
	}
	h = (struct tcpiphdr *)(void *)m->data;
	h->none = 0;
	h->zero = 0;
	h->length = (uint16_t)swap16(total);
	if (PREDICT_FALSE(in_cksum(m, IP_HEADER + total) != 0)) {
		tcpstat.bad_checksum++;
		m_freem(m);
		return 0;
	}
	words = h->header_words;
	if (PREDICT_FALSE(words < TCP_HEADER / 4 || words * 4 > total)) {
		tcpstat.bad_offset++;
		m_freem(m);
		return 0;
	}
	g->m = *packet = m;
	g->bytes = total - words * 4;
	g->flags = h->flags & TH_ALL;
	g->segment_max = 0;
	if (PREDICT_FALSE(words > TCP_HEADER / 4) && g->flags & TH_SYN)
		g->segment_max = segment_max_option(m, words * 4 - TCP_HEADER);
	h->length = (uint16_t)g->bytes;
	h->sequence = g->sequence = swap32(h->sequence);
	h->ack = g->ack = swap32(h->ack);
	h->window = (uint16_t)swap16(h->window);
	g->window = h->window;
	return 1;
}

void tcp_input(struct mbuf *m, uint32_t iphlen)
{
	struct inpcb *p = tcp_last_inpcb;
	struct tcpiphdr *h;
	struct segment g;
	struct socket *so;
	struct tcpcb *t;
	uint32_t header, window;
	int opening, fin = 0;

	if (PREDICT_FALSE(!header_input(&m, iphlen, &g)))
		return;
	h = (struct tcpiphdr *)(void *)m->data;
	header = IP_HEADER + (uint32_t)h->header_words * 4;
find:
	simple_lock(&tcp_lookup);
	if (!BSD_PCB_CACHE || !p || p->local_port != h->destination_port ||
	    p->foreign_port != h->source_port || p->foreign_host != h->source ||
	    p->local_host != h->destination) {
		p = in_pcblookup(&tcb, h->source, h->source_port, h->destination,
				 h->destination_port, 1);
		tcpstat.pcb_cache_misses++;
		if (p)
			tcp_last_inpcb = p;
	}
	simple_unlock(&tcp_lookup);
	t = p ? tcpcb_of(p) : NULL;
	if (PREDICT_FALSE(!t || t->state <= TCPS_LISTEN)) {
		tcp_listen_input(t && t->state == TCPS_LISTEN ? p : NULL, m, h, g.bytes,
				 g.segment_max);
		return;
	}
	so = p->socket;
	if (t->state >= TCPS_ESTABLISHED) {
		t->idle = 0;
		t->timer[TIMER_KEEP] = (tcp_short)t->keep_idle;
		t->keep_probes = 0;
	}
	if (BSD_HDRPRED && predict(t, so, &g, header))
		return;
	if (PREDICT_FALSE(t->state == TCPS_TIME_WAIT) && reopens(t, &g)) {
		p = NULL;
		goto find;
	}
	if (PREDICT_FALSE(t->state == TCPS_SYN_SENT)) {
		struct tcpiphdr copy = *h;
		int over;

		m_adj(m, header);
		over = tcp_syn_sent_input(t, &g, &copy);
		if (over == 2)
			tcp_drop(t, BSD_ECONNREFUSED);
		if (over)
			return;
		if (g.bytes > sbspace(&so->receive)) {
			g.bytes = sbspace(&so->receive);
			m_trim(m, g.bytes);
			g.flags &= ~(uint32_t)TH_FIN;
		}
	} else {
		struct tcpiphdr copy;

		if (PREDICT_FALSE(g.flags & TH_RST)) {
			m_freem(m);
			reset_input(t, &g);
			return;
		}
		/* A reset answers the header, which is gone by then. */
		if (PREDICT_FALSE(g.flags & TH_SYN || t->state == TCPS_SYN_RECEIVED))
			copy = *h;
		m_adj(m, header);
		if (PREDICT_FALSE(seq_lt(g.sequence, t->receive_next)))
			trim_front(t, &g);
		window = receive_window(t);
		if (PREDICT_FALSE(g.sequence - t->receive_next + g.bytes > window) &&
		    !seq_lt(g.sequence, t->receive_next) && trim_back(t, &g, window))
			goto drop;
		if (PREDICT_FALSE(g.flags & TH_SYN)) {
			tcpstat.syn_in_window++;
			tcp_reset(m, &copy);
			tcp_drop(t, BSD_ECONNRESET);
			return;
		}
		if (PREDICT_FALSE(!(g.flags & TH_ACK))) {
			tcpstat.no_ack_flag++;
			goto drop;
		}
		opening = t->state == TCPS_SYN_RECEIVED;
		if (PREDICT_FALSE(opening)) {
			if (!seq_lt(t->send_una, g.ack) || seq_lt(t->send_max, g.ack)) {
				tcp_reset(m, &copy);
				return;
			}
			/* Whatever it says is newer than the SYN. */
			t->window_sequence = g.sequence - 1;
		}
		if (PREDICT_FALSE(seq_lt(t->send_max, g.ack))) {
			tcpstat.acks_of_unsent++;
			t->flags |= TF_ACK_NOW;
			goto drop;
		}
		if (seq_lt(t->send_una, g.ack))
			fin = new_ack(t, so, g.ack, (uint32_t)opening);
		else
			old_ack(t, &g);
		window_input(t, &g);
		if (PREDICT_FALSE(opening))
			tcp_established(t);
		if (PREDICT_FALSE(fin) && fin_acked(t)) {
			m_freem(m);
			return;
		}
	}
	if (!g.bytes && !(g.flags & TH_FIN))
		goto drop;
	if (PREDICT_FALSE(!may_receive(t)))
		goto drop; /* nothing comes after the peer's FIN */
	if (PREDICT_FALSE(g.bytes && so->state & SOCKET_NO_USER && !so->head)) {
		/* The peer hears that its data are lost (RFC 1122 4.2.2.13). */
		struct tcpiphdr from = t->header;

		from.source = t->header.destination;
		from.destination = t->header.source;
		from.source_port = t->header.destination_port;
		from.destination_port = t->header.source_port;
		from.flags = TH_ACK;
		from.ack = g.ack;
		tcpstat.after_close++;
		tcp_reset(m, &from);
		tcp_drop(t, BSD_ECONNRESET);
		return;
	}
	if (PREDICT_FALSE(text_input(t, so, &g)) && may_receive(t))
		fin_input(t);
	m = NULL;
drop:
	m_freem(m);
	if (t->flags & TF_ACK_NOW || so->send.bytes > t->send_next - t->send_una ||
	    (PREDICT_FALSE(!(t->flags & TF_FIN_SENT)) &&
	     (t->state == TCPS_FIN_WAIT_1 || t->state == TCPS_LAST_ACK)))
		tcp_output(t);
}
