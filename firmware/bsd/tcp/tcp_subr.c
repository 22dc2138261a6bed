/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection's beginning and end, and segments of their own. */
#include "bsd/error.h"
#include "bsd/tcp/tcp_var.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/memory/memory.h"
#include "xkernel/seed.h"

struct tcpstat tcpstat;
struct in_pcbs tcb;
struct inpcb *tcp_last_inpcb;
uint32_t tcp_next_initial;

void tcp_start(void)
{
	memset(&tcpstat, 0, sizeof tcpstat);
	tcb = (struct in_pcbs){ NULL, FIRST_FREE_PORT };
	tcp_last_inpcb = NULL;
	tcp_next_initial = (uint32_t)seed_number(SEED_TCP_ISS);
}

struct tcpcb *tcp_newtcpcb(struct inpcb *p)
{
	struct tcpcb *t = xk_allocate_zeroed(sizeof *t);

	if (!t)
		return NULL;
	t->inpcb = p;
	p->protocol_pcb = t;
	t->segment_limit = (tcp_short)(interface_addresses->interface->mtu - TCPIP_HEADER);
	tcp_set_peer_segment_max(t, DEFAULT_SEGMENT);
	t->slow_start_threshold = WINDOW_MAX;
	t->rto = RTO_INITIAL;
	t->keep_idle = KEEP_IDLE;
	return t;
}

void tcp_template(struct tcpcb *t)
{
	const struct inpcb *p = t->inpcb;

	t->header = (struct tcpiphdr){
		.protocol = IP_TCP,
		.source = p->local_host,
		.destination = p->foreign_host,
		.source_port = p->local_port,
		.destination_port = p->foreign_port,
		.header_words = TCP_HEADER / 4,
	};
}

void tcp_sequences(struct tcpcb *t)
{
	t->send_initial = tcp_next_initial;
	tcp_next_initial += INITIAL_STEP;
	t->send_una = t->send_next = t->send_max = t->send_initial;
}

void tcp_set_peer_segment_max(struct tcpcb *t, uint32_t bytes)
{
	if (bytes < MIN_SEGMENT)
		bytes = MIN_SEGMENT;
	t->segment_max = (tcp_short)smaller(bytes, t->segment_limit);
	t->congestion_window = t->segment_max;
}

void tcp_cancel_timers(struct tcpcb *t)
{
	for (int i = 0; i < TIMERS; i++)
		t->timer[i] = 0;
	t->rtt = 0;
}

void tcp_close(struct tcpcb *t)
{
	struct inpcb *p = t->inpcb;

	t->state = TCPS_CLOSED;
	tcp_free_early(t);
	xk_free(t);
	p->protocol_pcb = NULL;
	soisdisconnected(p->socket);
	if (tcp_last_inpcb == p)
		tcp_last_inpcb = NULL;
	in_pcbdetach(p);
}

void tcp_drop(struct tcpcb *t, int error)
{
	tcpstat.connections_dropped++;
	t->inpcb->socket->error = error;
	tcp_close(t);
}

void tcp_time_wait(struct tcpcb *t)
{
	t->state = TCPS_TIME_WAIT;
	tcp_cancel_timers(t);
	t->timer[TIMER_WAIT] = TWO_MSL;
	soisdisconnected(t->inpcb->socket);
}

void tcp_established(struct tcpcb *t)
{
	struct socket *so = t->inpcb->socket;

	t->state = TCPS_ESTABLISHED;
	t->timer[TIMER_KEEP] = (tcp_short)t->keep_idle;
	if (so->head)
		tcpstat.connections_accepted++;
	else
		tcpstat.connections_opened++;
	soisconnected(so);
}

void tcp_respond(struct mbuf *m, const struct tcpiphdr *to, uint32_t ack, uint32_t sequence,
		 uint32_t flags, uint32_t window)
{
	struct tcpiphdr header = *to, *h; /* it may lie in m */
	struct ip *ip;

	m_freem(m);
	m = mbuf_take(M_PACKET);
	if (!m) {
		tcpstat.no_memory++;
		return;
	}
	m->data += LINK_ROOM;
	m->bytes = m->packet_bytes = TCPIP_HEADER;
	h = (struct tcpiphdr *)(void *)m->data;
	*h = (struct tcpiphdr){
		.protocol = IP_TCP,
		.length = (uint16_t)swap16(TCP_HEADER),
		.source = header.source,
		.destination = header.destination,
		.source_port = header.source_port,
		.destination_port = header.destination_port,
		.sequence = swap32(sequence),
		.ack = swap32(ack),
		.header_words = TCP_HEADER / 4,
		.flags = (uint8_t)flags,
		.window = (uint16_t)swap16(window),
	};
	h->check = in_cksum(m, TCPIP_HEADER);
	ip = (struct ip *)(void *)m->data;
	ip->bytes = TCPIP_HEADER;
	ip->service = 0;
	ip->ttl = IP_SEND_TTL;
	tcpstat.segments_sent++;
	ip_output(m, NULL);
}

/* RFC 793, "Reset Generation". Never in answer to a reset, nor to who cannot be answered. */
void tcp_reset(struct mbuf *m, const struct tcpiphdr *from)
{
	struct tcpiphdr to = {
		.source = from->destination,
		.destination = from->source,
		.source_port = from->destination_port,
		.destination_port = from->source_port,
	};
	uint32_t text = from->length; /* and what SYN and FIN count */

	if (from->flags & TH_RST) {
		m_freem(m);
		return;
	}
	tcpstat.resets_sent++;
	if (from->flags & TH_ACK) {
		tcp_respond(m, &to, 0, from->ack, TH_RST, 0);
		return;
	}
	text += !!(from->flags & TH_SYN) + !!(from->flags & TH_FIN);
	tcp_respond(m, &to, from->sequence + text, 0, TH_RST | TH_ACK, 0);
}
