/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP over FDDI by several processors on one connection or more. A driver in memory is the other
 * end, which checks each checksum. */
#include <sched.h>

#include "apps/mpstream/mpstream.h"
#include "protocols/mpdriver/peer/mppeer.h"
#include "protocols/mpdriver/peer/mppeer_private.h"
#include "protocols/tcp/tcp_net2.h"
#include "test/smp/processors.h"
#include "xkernel/byteorder.h"
#include "xkernel/graph.h"

enum { BYTES = 4096 };

static uint64_t processors(void)
{
	return from_environment("PROCESSORS", 8);
}

static uint64_t packets(void)
{
	return from_environment("PACKETS", 800) / processors();
}

static int start(int fresh)
{
	const char *failed = NULL;
	const struct graph *graph = graph_find("tcp");

	CHECK(graph);
	event_init();
	mpstream.stamped = fresh;
	if (graph_start(graph, &failed) != XK_OK)
		return XK_ERROR;
	return mppeer_start(BYTES, fresh);
}

static struct mppeer_counts peer;
static struct tcp_counts tcp;
static struct tcp_arrivals arrivals;
static struct tcp_predictions predictions;

static void sum_counts(void)
{
	for (unsigned i = 0; i < XK_CPUS; i++) {
		peer.received += mppeer_counts[i].received;
		peer.received_bytes += mppeer_counts[i].received_bytes;
		peer.sent += mppeer_counts[i].sent;
		peer.bad += mppeer_counts[i].bad;
		tcp.retransmit_timeouts += tcp_counts[i].retransmit_timeouts;
		tcp.fast_retransmits += tcp_counts[i].fast_retransmits;
		tcp.no_memory += tcp_counts[i].no_memory;
		tcp.reassembly_full += tcp_counts[i].reassembly_full;
		tcp.delayed_acks_sent += tcp_counts[i].delayed_acks_sent;
		tcp.duplicates += tcp_counts[i].duplicates;
		arrivals.data += tcp_arrivals[i].data;
		arrivals.disordered += tcp_arrivals[i].disordered;
		predictions.acks += tcp_predictions[i].acks;
		predictions.data += tcp_predictions[i].data;
	}
	CHECK_EQUAL(peer.bad, 0);
	CHECK_EQUAL(tcp.no_memory, 0);
	CHECK_EQUAL(tcp.retransmit_timeouts, 0);
	CHECK_EQUAL(tcp.reassembly_full, 0);
}

static struct tcp *state_of(unsigned k)
{
	return mpstream.connections[k].session->state;
}

static unsigned connections = 1;

static void send(unsigned number, void *arg)
{
	for (uint64_t n = packets(); n; n--) {
		int result;

		while ((result = mpstream_send(number % connections, BYTES)) == XK_WOULD_BLOCK)
			sched_yield();
		CHECK_EQUAL(result, XK_OK);
	}
}

static void all_send(void)
{
	uint64_t all = packets() * processors();

	CHECK_EQUAL(start(0), XK_OK);
	for (unsigned k = 0; k < connections; k++)
		CHECK_EQUAL(mpstream_open(k, (uint16_t)(MPPEER_PORT + k)), XK_OK);
	on_processors(processors(), send, NULL);
	sum_counts();
	/* Three answers may name the same byte, if packets overtake each other: one goes again. */
	CHECK_EQUAL(peer.received, all + tcp.fast_retransmits);
	CHECK_EQUAL(peer.received_bytes, peer.received * BYTES);
	for (unsigned k = 0; k < connections; k++) {
		const struct tcp *t = state_of(k);

		CHECK_EQUAL(t->send_max - t->send_initial - 1, all / connections * BYTES);
		CHECK_EQUAL((uint32_t)mppeer_connections[k].highest, t->send_max);
		CHECK(t->queue.bytes <= 2 * BYTES); /* every other one is acknowledged */
		CHECK_EQUAL(ref_read(&mpstream.connections[k].session->refs), 1);
	}
	/* Else the window has not opened yet, or has been cut. */
	if (connections == 1 && !tcp.fast_retransmits)
		CHECK(predictions.acks > all / 8);
}

CASE_IS(tcp_send_by_eight, all_send())
CASE_IS(tcp_send_one_connection_each, (connections = (unsigned)processors(), all_send()))

static void receive(unsigned number, void *arg)
{
	for (uint64_t n = packets(); n; n--) {
		int result;

		while ((result = mppeer_receive(number % connections)) == XK_WOULD_BLOCK)
			sched_yield();
		CHECK_EQUAL(result, XK_OK);
	}
}

static void all_receive(int fresh)
{
	uint64_t all = packets() * processors(), delivered = 0;

	CHECK_EQUAL(start(fresh), XK_OK);
	for (unsigned k = 0; k < connections; k++)
		CHECK_EQUAL(mppeer_connect(k, MPSTREAM_PORT), XK_OK);
	on_processors(processors(), receive, NULL);
	sum_counts();
	CHECK_EQUAL(peer.sent, all);
	CHECK_EQUAL(arrivals.data, all);
	for (unsigned k = 0; k < connections; k++) {
		const struct mpstream_connection *c = &mpstream.connections[k];
		const struct tcp *t = state_of(k);

		delivered += c->packets;
		CHECK_EQUAL(c->bytes, all / connections * BYTES);
		CHECK_EQUAL(t->receive_next - t->receive_initial - 1, c->bytes);
		CHECK(!t->early);
		CHECK_EQUAL(ref_read(&c->session->refs), 1);
		if (XK_MP_TICKETS)
			CHECK_EQUAL(c->misplaced, 0);
		if (!XK_MP_ASSUME_ORDER && arrivals.disordered == 0)
			CHECK_EQUAL(tcp.duplicates, 0);
	}
	CHECK_EQUAL(delivered, all);
	for (unsigned i = 0; i < XK_CPUS; i++)
		CHECK_EQUAL(ref_read(&mppeer_own[i].data.m.front->refs), 1);
	printf("disordered %llu of %llu\n", (unsigned long long)arrivals.disordered,
	       (unsigned long long)all);
}

CASE_IS(tcp_receive_by_eight, all_receive(0))
CASE_IS(tcp_receive_fresh, all_receive(1))
CASE_IS(tcp_receive_one_connection_each, (connections = (unsigned)processors(), all_receive(0)))

/* The user hears of the end once, and after a while the connection is nobody's. */
static uint64_t closes;

static void closed(struct xobj *self, struct xobj *session, enum xk_close why)
{
	atomic_add(&closes, 1);
}

CASE(tcp_close_after_data)
{
	static struct xobj_ops ops;
	struct tcp *t;

	CHECK_EQUAL(start(0), XK_OK);
	ops = *mpstream.self->ops;
	ops.close_done = closed;
	mpstream.self->ops = &ops;
	CHECK_EQUAL(mpstream_open(0, MPPEER_PORT), XK_OK);
	on_processors(processors(), send, NULL);
	t = state_of(0);
	xClose(mpstream.connections[0].session);
	CHECK_EQUAL(t->state, TCP_TIME_WAIT);
	CHECK_EQUAL(closes, 1);
	for (int tick = 0; tick <= TCP_TWO_MSL; tick++) {
		timer_ticks(50);
		event_turn();
	}
	CHECK_EQUAL(((struct tcp_protocol *)mpstream.self->down[0]->state)->active.entries, 0);
}

static void turn(unsigned number, void *arg)
{
	for (int n = 0; n < 1000; n++) {
		if (number == 0 && n % 10 == 0)
			timer_ticks(1);
		event_turn();
	}
}

/* An odd segment: the timer of 200 ms acknowledges it, on whichever processor. */
CASE(tcp_delayed_ack_by_any)
{
	CHECK_EQUAL(start(0), XK_OK);
	CHECK_EQUAL(mppeer_connect(0, MPSTREAM_PORT), XK_OK);
	CHECK_EQUAL(mppeer_receive(0), XK_OK);
	CHECK(state_of(0)->ack_delayed);
	on_processors(processors(), turn, NULL);
	sum_counts();
	CHECK_EQUAL(tcp.delayed_acks_sent, 1);
	CHECK(!state_of(0)->ack_delayed);
}

/* SYNs of many at once, whose answers nobody hears: sixteen may be half open. Those of the first
 * come before, alone, and make the sessions below; then they come again. */
static void syns(unsigned number, void *arg)
{
	for (uint32_t n = 0; n < 8; n++) {
		uint32_t source = MPPEER_PORT + XK_CPUS + 8 * number + n;
		struct mppeer_connection c = { .ports = swap16(source) | swap16(MPSTREAM_PORT)
									     << 16 };

		mppeer_syn(&c, 0, TCP_SYN);
	}
}

CASE(tcp_sixteen_half_open)
{
	const struct tcp_protocol *p;
	uint64_t dropped = 0;

	CHECK_EQUAL(start(0), XK_OK);
	on_processors(1, syns, NULL);
	on_processors(processors(), syns, NULL);
	for (int i = 0; i < XK_CPUS; i++)
		dropped += tcp_counts[i].half_open_evicted;
	p = mpstream.self->down[0]->state;
	CHECK_EQUAL(p->half_open, TCP_MAX_HALF_OPEN);
	CHECK_EQUAL(p->active.entries, TCP_MAX_HALF_OPEN);
	CHECK_EQUAL(dropped, 8 * processors() - TCP_MAX_HALF_OPEN);
}

/* A SYN for a connection in TIME_WAIT: it stays what it is, and no other is opened. */
CASE(tcp_time_wait_is_not_opened_anew)
{
	struct mppeer_connection *c = &mppeer_connections[0];
	struct tcp *t;

	CHECK_EQUAL(start(0), XK_OK);
	CHECK_EQUAL(mpstream_open(0, MPPEER_PORT), XK_OK);
	t = state_of(0);
	xClose(mpstream.connections[0].session);
	CHECK_EQUAL(t->state, TCP_TIME_WAIT);
	mppeer_syn(c, 0, TCP_SYN);
	CHECK_EQUAL(t->state, TCP_TIME_WAIT);
	CHECK_EQUAL(((struct tcp_protocol *)mpstream.self->down[0]->state)->active.entries, 1);
}

/* Someone gets no memory: the start fails, or the opening, or nothing does. */
extern uint64_t smp_asked, smp_refused; /* test_udp.c */

CASE(tcp_without_memory)
{
	int sends = 0, receives = 0, started;

	smp_refused = allocation_to_fail(UINT64_MAX);
	started = start(0) == XK_OK;
	if (started && mpstream_open(0, MPPEER_PORT) == XK_OK)
		for (int n = 0; n < 4; n++)
			sends += mpstream_send(0, BYTES) == XK_OK;
	if (started && mppeer_connect(1, MPSTREAM_PORT) == XK_OK && mpstream.connections[1].session)
		for (int n = 0; n < 4; n++)
			receives += mppeer_receive(1) == XK_OK;
	if (smp_refused >= smp_asked)
		CHECK(sends == 4 && receives == 4);
	printf("asked %llu times\n", (unsigned long long)smp_asked);
}

/* Events scheduled and cancelled by all while time goes on: each runs once or is cancelled. */
enum { EVENTS = 16 };
static struct event events[XK_CPUS][EVENTS];
static uint64_t ran, cancelled, scheduled, left = XK_CPUS;

static void happens(void *arg)
{
	atomic_add(&ran, 1);
}

static void schedule(unsigned number, void *arg)
{
	for (unsigned n = 0; n < 400; n++) {
		struct event *e = &events[number][n % EVENTS];

		if (number == 0)
			timer_ticks(1);
		event_turn();
		if (atomic_look(&e->state) != EVENT_IDLE || atomic_look(&e->busy) != EVENT_IDLE)
			continue;
		atomic_add(&scheduled, 1);
		event_schedule(e, happens, NULL, (n * 7 + number) % 50 * 10000);
		if (n % 3 == 0 && event_cancel(e) == EVENT_CANCELLED)
			atomic_add(&cancelled, 1);
	}
	atomic_add(&left, -(uint64_t)1);
}

CASE(events_by_eight)
{
	on_processors((event_init(), XK_CPUS), schedule, NULL);
	timer_ticks(200);
	event_turn();
	CHECK_EQUAL(left, 0);
	CHECK(cancelled > 0 && ran > 0);
	CHECK_EQUAL(ran + cancelled, scheduled);
}
