/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests of sockets to TCP. */
#include "bsd/error.h"
#include "bsd/tcp/tcp_var.h"
#include "xkernel/memory/memory.h"
#include "xkernel/switches.h"

enum { SLOW_TICKS_PER_S = 2 };

static int attach(struct socket *so)
{
	int error = in_pcballoc(so, &tcb);

	if (error)
		return error;
	if (!so->send.bytes_limit)
		soreserve(so, SOCKET_BYTES, SOCKET_BYTES);
	if (tcp_newtcpcb(so->pcb))
		return 0;
	so->state &= ~(uint32_t)SOCKET_NO_USER; /* the socket stays its maker's */
	in_pcbdetach(so->pcb);
	return BSD_ENOBUFS;
}

static int connect(struct tcpcb *t, const struct in_name *name)
{
	int error = in_pcbconnect(t->inpcb, name);

	if (error)
		return error;
	tcp_template(t);
	tcp_sequences(t);
	soisconnecting(t->inpcb->socket);
	t->state = TCPS_SYN_SENT;
	t->timer[TIMER_KEEP] = KEEP_OPENING;
	tcp_output(t);
	return 0;
}

/* The program sends no more. */
static void user_closed(struct tcpcb *t)
{
	if (t->state == TCPS_ESTABLISHED)
		t->state = TCPS_FIN_WAIT_1;
	else if (t->state == TCPS_CLOSE_WAIT)
		t->state = TCPS_LAST_ACK;
	tcp_output(t);
}

static void abort_connection(struct tcpcb *t)
{
	if (t->state >= TCPS_SYN_RECEIVED && t->state != TCPS_TIME_WAIT) {
		tcpstat.resets_sent++;
		tcp_respond(NULL, &t->header, t->receive_next, t->send_max, TH_RST | TH_ACK, 0);
	}
	tcp_drop(t, BSD_ECONNABORTED);
}

/* The program has closed: nobody reads any more. The peer hears if data are lost by that (RFC 1122
 * 4.2.2.13). */
static void disconnect(struct tcpcb *t)
{
	struct socket *so = t->inpcb->socket;

	if (t->state < TCPS_ESTABLISHED) {
		tcp_close(t);
		return;
	}
	if (so->receive.bytes) {
		abort_connection(t);
		return;
	}
	if (t->state == TCPS_FIN_WAIT_2)
		t->timer[TIMER_WAIT] = FIN_WAIT_2_MAX;
	if (t->state != TCPS_TIME_WAIT)
		soisdisconnecting(so);
	user_closed(t);
}

static int send(struct tcpcb *t, struct mbuf *m)
{
	sbappend(&t->inpcb->socket->send, m);
	tcp_output(t);
	return 0;
}

/* A connection that is no more: the sender hears why by the socket's error. */
static int without_pcb(struct mbuf *m, int request)
{
	m_freem(m);
	return request == REQUEST_SEND ? BSD_ECONNRESET : BSD_EINVAL;
}

int tcp_usrreq(struct socket *so, int request, struct mbuf *m, struct in_name *name)
{
	struct tcpcb *t = tcpcb_of_socket(so);

	if (PREDICT_FALSE(!t && request != REQUEST_ATTACH))
		return without_pcb(m, request);
	switch (request) {
	case REQUEST_SEND:
		return send(t, m);
	case REQUEST_RECEIVED: /* the window may be news to the peer */
		tcp_output(t);
		return 0;
	case REQUEST_ATTACH:
		return attach(so);
	case REQUEST_DETACH:
	case REQUEST_DISCONNECT:
		disconnect(t);
		return 0;
	case REQUEST_BIND:
		return in_pcbbind(t->inpcb, name);
	case REQUEST_LISTEN:
		if (!t->inpcb->local_port)
			return BSD_EINVAL;
		t->state = TCPS_LISTEN;
		return 0;
	case REQUEST_CONNECT:
		return connect(t, name);
	case REQUEST_ACCEPT:
		return 0;
	case REQUEST_SHUTDOWN:
		socantsendmore(so);
		user_closed(t);
		return 0;
	default:
		abort_connection(t);
		return 0;
	}
}

const struct protocol tcp_protocol = { tcp_input, tcp_usrreq, tcp_fasttimo, tcp_slowtimo };

const struct protocol *const protocol_of[IP_PROTOCOLS] = { [IP_TCP] = &tcp_protocol };

void tcp_set_no_delay(struct socket *so, int no_delay)
{
	struct tcpcb *t = tcpcb_of_socket(so);

	if (!t)
		return;
	t->flags &= (tcp_short)~TF_NO_DELAY;
	if (no_delay)
		t->flags |= TF_NO_DELAY;
}

void tcp_set_keepalive(struct socket *so, uint32_t seconds)
{
	struct tcpcb *t = tcpcb_of_socket(so);

	so->options &= ~(uint32_t)SOCKET_KEEPALIVE;
	if (seconds)
		so->options |= SOCKET_KEEPALIVE;
	if (!t || !seconds || t->state < TCPS_ESTABLISHED)
		return;
	t->keep_idle = smaller(seconds, UINT16_MAX / SLOW_TICKS_PER_S) * SLOW_TICKS_PER_S;
	t->keep_probes = 0;
	t->timer[TIMER_KEEP] = (tcp_short)t->keep_idle;
}

enum tcps tcp_state_of(const struct socket *so)
{
	const struct tcpcb *t = tcpcb_of_socket(so);

	return t ? t->state : TCPS_CLOSED;
}
