/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "bsd/error.h"
#include "bsd/kern/spl.h"
#include "protocols/tcp/tcp.h"
#include "test/bsd/connection.h"
#include "test/bsd/sessions.h"
#include "xkernel/memory/allocate.h"

void right_edge_allow(const struct xobj *session, uint32_t bytes);

enum xk_result session_result(int error)
{
	switch (error) {
	case 0:
		return XK_OK;
	case BSD_ENOBUFS:
	case BSD_EINTR:
		return XK_NO_MEMORY;
	case BSD_ECONNREFUSED:
		return XK_REFUSED;
	case BSD_ETIMEDOUT:
		return XK_TIMED_OUT;
	case BSD_ECONNRESET:
	case BSD_ECONNABORTED:
		return XK_RESET;
	default:
		return XK_ERROR;
	}
}

static enum xk_close reason(int error)
{
	switch (error) {
	case 0:
		return XK_CLOSE_DONE;
	case BSD_ECONNREFUSED:
		return XK_CLOSE_REFUSED;
	case BSD_ETIMEDOUT:
		return XK_CLOSE_TIMED_OUT;
	default:
		return XK_CLOSE_RESET;
	}
}

/* The bytes that have not gone up yet. A program has its memory: an allocation that is refused here
 * is none of the stack's, and is asked for again. */
static void hand_up(struct session *s)
{
	struct socket *so = s->so;
	uint32_t bytes = so->receive.bytes, news = bytes - s->shown;
	uint8_t *text = malloc(bytes);
	struct msg m;

	if (soreceive(so, text, &bytes, RECEIVE_PEEK | RECEIVE_NO_WAIT))
		abort();
	while (msg_init_copy(&m, text + s->shown, news))
		;
	free(text);
	s->shown += news;
	s->handed_up += news;
	mirror_show(s->self->state, so);
	mirror_show_text(s->self->state, s->initial + s->handed_up);
	xDemux(s->self, &m);
	mirror_show(s->self->state, s->so);
	msg_destroy(&m);
}

/* The user has closed, or closes when we are done. */
static int has_gone(const struct session *s)
{
	return !s->so || ref_read(&s->self->refs) == 1;
}

static int is_at_end_of_file(const struct session *s)
{
	uint32_t state = s->so->state;

	return !s->ended && !s->end_of_file && state & SOCKET_CANT_RECEIVE &&
	       !(state & (SOCKET_DISCONNECTED | SOCKET_DISCONNECTING));
}

static void look(void *arg)
{
	struct session *s = arg;
	struct xobj *self = xDuplicate(s->self);

	s->running = 1;
	while (s->queued) {
		s->queued = 0;
		while (!has_gone(s) && s->so->receive.bytes > s->shown)
			hand_up(s);
		if (!has_gone(s) && is_at_end_of_file(s)) {
			s->end_of_file = 1;
			xCloseDone(self, XK_CLOSE_PEER);
		}
		if (s->ended && !s->told) {
			s->told = 1;
			xCloseDone(self, s->why);
		}
	}
	s->running = 0;
	xClose(self);
}

void session_news(struct session *s)
{
	if (s->queued)
		return;
	s->queued = 1;
	if (!s->running)
		thread_ready(&s->thread, look, s);
}

/* A closed socket is its protocol's: only its end is of interest. */
static void upcall(struct socket *so, void *arg)
{
	struct session *s = arg;

	if (so->state & SOCKET_DISCONNECTED && !s->ended) {
		s->ended = 1;
		s->why = reason(so->error);
	}
	session_news(s);
	if (s->ended && !s->so)
		so->upcall = NULL;
}

static int push(struct xobj *self, struct msg *m)
{
	struct session *s = mirror_session(self->state);
	uint32_t bytes = (uint32_t)msg_bytes(m);
	uint8_t *text = malloc(bytes ? bytes : 1);
	int result = XK_RESET;

	msg_copy_out(m, text);
	if (s->so)
		result = session_result(sosend(s->so, text, &bytes));
	free(text);
	return result;
}

static void release(struct session *s)
{
	struct xobj *self = s->self;

	free(self->state);
	free(s);
	self->state = NULL;
	xDestroy(self);
}

static void close_session(struct xobj *self)
{
	struct session *s = mirror_session(self->state);
	struct socket *so = s ? s->so : NULL;
	int level;

	if (!s)
		return;
	if (so) {
		/* The user has read it, and a socket that is closed has room for all. */
		mirror_show(self->state, so);
		right_edge_allow(self, UINT32_MAX);
		level = splnet();
		sbdrop(&so->receive, s->shown);
		splx(level);
		s->so = NULL;
		xDuplicate(self);
		if (s->ended)
			so->upcall = NULL;
		soclose(so);
		if (ref_down(&self->refs))
			return;
	}
	if (s->ended && s->told && !s->queued && !s->running)
		release(s);
}

/* The user speaks of what follows the text that it has. */
static void set_space(struct session *s, uint32_t space)
{
	struct socket_buffer *sb = &s->so->receive;
	uint32_t keep = space < sb->bytes_limit ? sb->bytes_limit - space : 0, bytes;

	keep += sb->bytes - s->shown;
	bytes = sb->bytes > keep ? sb->bytes - keep : 0;
	if (bytes > s->shown)
		bytes = s->shown;
	if (!bytes)
		return;
	s->shown -= bytes;
	soconsume(s->so, bytes);
}

static int set_number(struct session *s, int op, uint32_t number)
{
	switch (op) {
	case TCP_SET_RECEIVE_SPACE:
		set_space(s, number);
		return sizeof number;
	case TCP_SET_RECEIVE_SIZE:
		sbreserve(&s->so->receive, number);
		return sizeof number;
	case TCP_SET_SEND_SIZE:
		sbreserve(&s->so->send, number);
		return sizeof number;
	case TCP_SET_NO_DELAY:
		tcp_set_no_delay(s->so, number != 0);
		return sizeof number;
	default:
		tcp_set_keepalive(s->so, number);
		return sizeof number;
	}
}

static int control(struct xobj *self, int op, void *buffer, size_t bytes)
{
	struct session *s = mirror_session(self->state);

	if (op == TCP_ABORT && (!s || !s->so)) /* by the wind-down of a fuzzer */
		connection_abort(mirror_socket(self->state));
	if (!s || !s->so)
		return XK_ERROR;
	switch (op) {
	case TCP_SHUTDOWN:
		soshutdown(s->so);
		return 0;
	case TCP_ABORT:
		soabort(s->so);
		return 0;
	case TCP_GET_STATE:
		*(uint32_t *)buffer = tcp_state_of(s->so);
		return sizeof(uint32_t);
	default:
		if (op < TCP_SET_RECEIVE_SPACE || op > TCP_SET_KEEPALIVE ||
		    bytes < sizeof(uint32_t))
			return XK_UNKNOWN;
		return set_number(s, op, *(uint32_t *)buffer);
	}
}

const struct xobj_ops tcp_session_ops = {
	XOBJ_DEFAULTS,
	.push = push,
	.close = close_session,
	.control = control,
};

struct xobj *session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			  struct socket *so)
{
	struct xobj *x = xCreateSession(self, &tcp_session_ops, receiver, type, NULL, 0);
	struct session *s;

	if (!x)
		return NULL;
	s = calloc(1, sizeof *s);
	s->self = x;
	s->so = so;
	s->initial = connection_first_byte(so);
	x->state = mirror_make(s);
	mirror_show(x->state, so);
	so->upcall_arg = s;
	so->upcall = upcall;
	return x;
}

struct session *session_of_socket(const struct socket *so)
{
	return so->upcall == upcall ? so->upcall_arg : NULL;
}

struct xobj *session_object(const void *session)
{
	return ((const struct session *)session)->self;
}
