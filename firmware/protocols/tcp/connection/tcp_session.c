/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: a connection's beginning and end. */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/fast/tcp_fast_begin.h"
#include "protocols/tcp/output/tcp_output.h"
#include "xkernel/byteorder.h"

struct xobj *tcp_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      struct xobj *lower, uint32_t remote, uint32_t ports)
{
	struct tcp_protocol *p = self->state;
	struct xobj *s;
	struct tcp *t;
	uint32_t packet;

	if (xControl(lower, XK_GET_OPT_PACKET, &packet, sizeof packet) < 0)
		return NULL;
	s = xCreateSession(self, &tcp_session_ops, receiver, type, lower, sizeof *t);
	if (!s)
		return NULL;
	t = s->state;
	t->key = tcp_key(remote, ports);
	if (map_bind(&p->active, &t->key, s)) {
		xDestroy(s);
		return NULL;
	}
	t->template_ports = ports >> 16 | ports << 16;
	t->pseudo_sum = (uint64_t)remote + p->address + swap16(TCP_PROTOCOL);
	t->segment_limit = (tcp_short)(packet - TCP_HEADER_BYTES);
	tcp_set_peer_segment_max(s, TCP_DEFAULT_SEGMENT);
	t->slow_start_threshold = TCP_MAX_WINDOW;
	t->receive_space = t->receive_size = TCP_BUFFER_BYTES;
	t->rto = TCP_RTO_INITIAL;
	tcp_lock_births(p);
	t->send_initial = p->next_initial;
	p->next_initial += TCP_INITIAL_STEP;
	tcp_unlock_births(p);
	t->send_una = t->send_next = t->send_max = t->send_initial;
	tcp_queue_init(&t->queue);
	sem_init(&t->opened, 0);
	sem_init(&t->room, 0);
	return s;
}

void tcp_set_peer_segment_max(struct xobj *s, uint32_t bytes)
{
	struct tcp *t = s->state;

	if (bytes < TCP_MIN_SEGMENT)
		bytes = TCP_MIN_SEGMENT;
	t->segment_max = (tcp_short)smaller(bytes, t->segment_limit);
	t->congestion_window = t->segment_max;
}

void tcp_become_established(struct xobj *s)
{
	struct tcp *t = s->state;
	struct tcp_protocol *p = s->protocol->state;

	t->state = TCP_ESTABLISHED;
	t->timer[TCP_KEEP] = 0;
	if (XK_FAST)
		tcp_fast_begin(s);
	if (t->waiting_open) {
		COUNT(tcp_counts, connections_opened);
		t->open_result = XK_OK;
		t->waiting_open = 0;
		sem_signal(&t->opened);
	} else if (t->passive) {
		int result;

		COUNT(tcp_counts, connections_accepted);
		t->passive = 0;
		tcp_lock_births(p);
		p->half_open--;
		tcp_unlock_births(p);
		if (XK_MP) {
			tcp_accept_later();
			return;
		}
		result = xOpenDone(s->up, s, s->protocol);
		xClose(s); /* our own reference; the pop in progress has another */
		if (result < 0)
			xControl(s, TCP_ABORT, NULL, 0);
	}
}

void tcp_shutdown(struct xobj *s)
{
	struct tcp *t = s->state;

	if (t->state == TCP_ESTABLISHED)
		t->state = TCP_FIN_WAIT_1;
	else if (t->state == TCP_CLOSE_WAIT)
		t->state = TCP_LAST_ACK;
	tcp_output(s);
}

/* At every fall of refs to 0: the user has gone, and later every pop of what still comes. */
void tcp_close(struct xobj *s)
{
	struct tcp *t = s->state;

	if (t->state != TCP_CLOSED && !t->user_closed) {
		t->user_closed = 1;
		xDuplicate(s); /* output may switch threads */
		if (t->state == TCP_SYN_SENT)
			tcp_drop(s, XK_CLOSE_DONE);
		else
			tcp_shutdown(s);
		if (t->state == TCP_FIN_WAIT_2)
			t->timer[TCP_WAIT] = TCP_FIN_WAIT_2_MAX;
		if (ref_down(&s->refs))
			return;
	}
	if (t->state == TCP_CLOSED) {
		if (XK_FAST_OWN)
			tcp_fast_freed(s);
		xClose(s->down[0]);
		xDestroy(s);
	}
}
