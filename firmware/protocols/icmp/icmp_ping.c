/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP: asking for an echo. */
#include "protocols/icmp/icmp_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/semaphore.h"

/* A request and its answer. Not on the stack of who asks: the event must have come to rest before
 * its memory is used for something else. */
struct waiting {
	int used;
	uint32_t ident_sequence, bytes;
	int result;
	struct semaphore done;
	struct event timeout;
};

enum { AT_A_TIME = 8 };
static struct waiting all[AT_A_TIME];
static uint32_t next_sequence;

enum { IDENT = 0x6d43 };

static uint8_t byte_at(uint32_t i)
{
	return (uint8_t)(i * 7 + (i >> 8));
}

struct comparison {
	uint32_t at;
};

static int differs(const uint8_t *piece, size_t bytes, void *arg)
{
	struct comparison *c = arg;

	for (size_t i = 0; i < bytes; i++)
		if (piece[i] != byte_at(c->at++))
			return 1;
	return 0;
}

static struct waiting *take(void)
{
	for (struct waiting *w = all; w < all + AT_A_TIME; w++) {
		if (w->used || w->timeout.state != EVENT_IDLE || w->timeout.busy)
			continue;
		w->used = 1;
		w->result = XK_WOULD_BLOCK; /* nothing yet */
		w->ident_sequence = IDENT | swap16(next_sequence++ & 0xffff) << 16;
		sem_init(&w->done, 0);
		return w;
	}
	return NULL;
}

static void finish(struct waiting *w, int result)
{
	if (w->result != XK_WOULD_BLOCK)
		return; /* answered twice, or answered and timed out */
	w->result = result;
	sem_signal(&w->done);
}

static void timed_out(void *arg)
{
	finish(arg, XK_TIMED_OUT);
}

void icmp_ping_answer(uint32_t ident_sequence, const struct msg *m)
{
	for (struct waiting *w = all; w < all + AT_A_TIME; w++) {
		struct comparison c = { 0 };

		if (!w->used || w->ident_sequence != ident_sequence || msg_bytes(m) != w->bytes ||
		    msg_for_each(m, differs, &c))
			continue;
		finish(w, XK_OK);
		return;
	}
	icmp_counts.wrong_answers++;
}

static int ask(struct waiting *w, struct xobj *session)
{
	struct msg m;
	int result;

	if (msg_init_bytes(&m, w->bytes))
		return XK_NO_MEMORY;
	for (uint32_t i = 0; i < w->bytes; i++)
		m.head[i] = byte_at(i);
	icmp_counts.pings_sent++;
	result = icmp_send(session, &m, ICMP_ECHO_REQUEST, w->ident_sequence);
	msg_destroy(&m);
	if (result < 0)
		return result;
	event_schedule(&w->timeout, timed_out, w, ICMP_PING_US);
	result = sem_wait(&w->done) ? XK_NO_MEMORY : w->result;
	event_cancel(&w->timeout);
	return result;
}

int icmp_ping(struct xobj *self, struct icmp_ping *ping)
{
	struct xobj *session = icmp_open(self, ping->host);
	struct waiting *w = session ? take() : NULL;
	uint64_t began = event_now_ms();
	int result = XK_ERROR;

	if (w) {
		w->bytes = ping->bytes;
		result = ask(w, session);
		w->used = 0;
	}
	if (session)
		xClose(session);
	ping->waited = (event_now_ms() - began) * 1000;
	icmp_counts.pings_answered += result == XK_OK;
	icmp_counts.pings_timed_out += result == XK_TIMED_OUT;
	return result;
}
