/* SPDX-License-Identifier: BSD-2-Clause */
/* Parallel TCP: locks, and what is done when they have been released. */
#include "platform/marker.h"
#include "protocols/tcp/tcp_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

/* The work of the processor's connection for other layers; NULL: it holds no connection. */
static struct {
	struct tcp_work *work;
} OWN_BLOCK now[XK_CPUS];

static struct tcp_work *work_now(void)
{
	return now[percpu_number()].work;
}

void tcp_enter(struct xobj *s, struct tcp_work *work)
{
	struct tcp *t = s->state;

	work->session = s;
	work->sends = work->ups = work->closes = 0;
	work->unbind = work->give_back = work->accepted = 0;
	work->goes_on = NULL;
	MARK(MARK_OPEN, WINDOW_SPIN);
	tcp_lock_state(t);
	MARK(MARK_CLOSE, WINDOW_SPIN);
	MARK(MARK_OPEN, WINDOW_HOLD);
	now[percpu_number()].work = work;
}

/* TCP-6 has the checksum, and on the way down the header, under a lock, as the code that OSDI'94
 * compares has them. */
static int send(struct tcp_send *one, struct xobj *s)
{
	uint64_t sum = one->pseudo_sum + swap16((uint32_t)msg_bytes(&one->m));
	int result;

	if (s)
		tcp_lock_prepend((struct tcp *)s->state);
	if (XK_MP_CHECKSUM)
		one->header->checksum_urgent = checksum_fold(checksum_add_msg(sum, &one->m));
	if (s)
		tcp_unlock_prepend((struct tcp *)s->state);
	COUNT(tcp_counts, segments_sent);
	result = xPush(one->ip_session, &one->m);
	msg_destroy(&one->m);
	if (PREDICT_FALSE(result == XK_WOULD_BLOCK))
		COUNT(tcp_counts, transmit_full);
	return result;
}

static void accept(struct xobj *s)
{
	int result = xOpenDone(s->up, s, s->protocol);

	xClose(s); /* what it had while it was half open */
	if (result < 0)
		xControl(s, TCP_ABORT, NULL, 0);
}

static void deliver(struct tcp_work *work)
{
	work->order.left = work->ups;
	for (uint32_t i = 0; i < work->ups; i++) {
		work->up[i].attribute = XK_MP_TICKETS ? &work->order : NULL;
		xDemux(work->session, &work->up[i]);
		msg_destroy(&work->up[i]);
	}
}

static void send_all(struct tcp_work *work)
{
	for (uint32_t i = 0; i < work->sends; i++)
		send(&work->send[i], work->session);
	work->sends = 0;
}

/* More segments than one turn may have. */
static void go_on(struct xobj *s, int (*output)(struct xobj *s))
{
	struct tcp_work more;

	do {
		tcp_enter(s, &more);
		output(s);
		now[percpu_number()].work = NULL;
		tcp_unlock_state((struct tcp *)s->state);
		MARK(MARK_CLOSE, WINDOW_HOLD);
		send_all(&more);
	} while (more.goes_on);
}

void tcp_leave(struct tcp_work *work)
{
	struct xobj *s = work->session;
	struct tcp_protocol *p = s->protocol->state;
	struct tcp *t = s->state;

	if (XK_MP_TICKETS && work->ups) {
		work->order.number = t->parallel.tickets++;
		work->order.served = &t->parallel.served;
	}
	now[percpu_number()].work = NULL;
	tcp_unlock_state(t);
	MARK(MARK_CLOSE, WINDOW_HOLD);
	if (PREDICT_FALSE(work->unbind))
		map_unbind(&p->active, &t->key);
	send_all(work);
	if (PREDICT_FALSE(work->goes_on))
		go_on(s, work->goes_on);
	if (PREDICT_FALSE(work->accepted))
		accept(s);
	if (work->ups)
		deliver(work);
	for (uint32_t i = 0; i < work->closes; i++)
		xCloseDone(s, work->why[i]);
	if (PREDICT_FALSE(work->give_back))
		xClose(s);
}

/* There is a place for all that can have been kept, and for what comes now. */
void tcp_up(struct xobj *s, struct msg *m)
{
	struct tcp_work *work = work_now();

	work->up[work->ups++] = *m;
	msg_init_empty(m);
}

void tcp_tell(struct xobj *s, enum xk_close why)
{
	struct tcp_work *work = work_now();

	if (work->closes < TCP_WORK_CLOSES)
		work->why[work->closes++] = why;
}

void tcp_unbind(struct tcp_protocol *p, struct tcp *t)
{
	work_now()->unbind = 1;
}

void tcp_give_back(struct xobj *s)
{
	work_now()->give_back = 1;
}

void tcp_accept_later(void)
{
	work_now()->accepted = 1;
}

int tcp_may_go_on(int (*output)(struct xobj *s))
{
	struct tcp_work *work = work_now();

	work->goes_on = work->sends >= TCP_WORK_GOES_ON ? output : NULL;
	return !work->goes_on;
}

int tcp_send_later(struct xobj *ip_session, struct msg *m, struct tcp_header *h,
		   uint64_t pseudo_sum)
{
	struct tcp_work *work = work_now();
	struct tcp_send alone, *one = &alone;

	if (work) {
		if (PREDICT_FALSE(work->sends == TCP_WORK_SENDS))
			return XK_WOULD_BLOCK;
		one = &work->send[work->sends++];
	}
	one->ip_session = ip_session;
	one->header = h;
	one->pseudo_sum = pseudo_sum;
	one->m = *m;
	msg_init_empty(m);
	return work ? XK_OK : send(one, NULL);
}

int tcp_may_be_born(struct tcp_protocol *p)
{
	int room;

	tcp_lock_births(p);
	room = p->half_open < TCP_MAX_HALF_OPEN;
	p->half_open += (uint32_t)room;
	tcp_unlock_births(p);
	return room;
}

void tcp_is_not_born(struct tcp_protocol *p)
{
	tcp_lock_births(p);
	p->half_open--;
	tcp_unlock_births(p);
}
