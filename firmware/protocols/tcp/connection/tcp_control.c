/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/output/tcp_output.h"

static int abort_connection(struct xobj *s)
{
	struct tcp *t = s->state;

	if (t->state >= TCP_SYN_RECEIVED && t->state != TCP_TIME_WAIT) {
		COUNT(tcp_counts, resets_sent);
		tcp_send_segment(s, t->send_max, 0, 0, TCP_RST | TCP_ACK, 0);
	}
	tcp_drop(s, XK_CLOSE_RESET);
	return 0;
}

/* 0: tcp_output() would find nothing to do, by its own tests. */
static inline int may_be_news(const struct tcp *t)
{
	uint32_t promised = t->receive_advertised - t->receive_next;
	uint32_t news = t->receive_space > promised ? t->receive_space - promised : 0;

	return t->state != TCP_ESTABLISHED || t->ack_now || t->force || t->queue.bytes ||
	       news >= (uint32_t)t->segment_max << 1 || news + (news << 1) >= t->receive_size;
}

static int set_number(struct xobj *s, int op, uint32_t number)
{
	struct tcp *t = s->state;

	switch (op) {
	case TCP_SET_RECEIVE_SPACE:
		t->receive_space = smaller(number, t->receive_size);
		tcp_output(s); /* the window may be news to the peer */
		break;
	case TCP_SET_RECEIVE_SIZE:
		t->receive_size = smaller(number, TCP_MAX_WINDOW);
		t->receive_space = smaller(t->receive_space, t->receive_size);
		break;
	case TCP_SET_SEND_SIZE:
		t->queue.limit = smaller(number, TCP_MAX_WINDOW);
		break;
	default:
		t->no_delay = number != 0;
		break;
	}
	return sizeof number;
}

int tcp_control(struct xobj *object, int op, void *buffer, size_t bytes)
{
	struct tcp *t = object->state;

	if (XK_FAST_USER && op == TCP_SET_RECEIVE_SPACE && bytes >= sizeof(uint32_t)) {
		t->receive_space = smaller(*(const uint32_t *)buffer, t->receive_size);
		if (PREDICT_FALSE(may_be_news(t)))
			tcp_output(object);
		return sizeof(uint32_t);
	}
	switch (op) {
	case TCP_SET_RECEIVE_SPACE:
	case TCP_SET_RECEIVE_SIZE:
	case TCP_SET_SEND_SIZE:
	case TCP_SET_NO_DELAY:
		if (bytes < sizeof(uint32_t))
			return XK_ERROR;
		return set_number(object, op, *(const uint32_t *)buffer);
	case TCP_GET_STATE:
		if (bytes < sizeof(uint32_t))
			return XK_ERROR;
		*(uint32_t *)buffer = t->state;
		return sizeof(uint32_t);
	case XK_GET_MAX_PACKET:
	case XK_GET_OPT_PACKET:
		if (bytes < sizeof(uint32_t))
			return XK_ERROR;
		*(uint32_t *)buffer = t->segment_max;
		return sizeof(uint32_t);
	case TCP_SHUTDOWN:
		tcp_shutdown(object);
		return 0;
	case TCP_ABORT:
		return abort_connection(object);
	default:
		if (XK_KEEPALIVE && op == TCP_SET_KEEPALIVE && bytes >= sizeof(uint32_t))
			return tcp_keepalive_set(object, *(const uint32_t *)buffer);
		return xControl(object->down[0], op, buffer, bytes);
	}
}
