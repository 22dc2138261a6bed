/* SPDX-License-Identifier: BSD-2-Clause */
/* The client sends a request; every reply starts the next request, inside the upcall. */
#include "apps/tcptest/tcptest_private.h"
#include "platform/marker.h"
#include "platform/platform.h"
#include "protocols/tcp/tcp.h"
#include "xkernel/console.h"

/* With XK_ONE_WAY a round trip is from one byte to the next. */
static __attribute__((noinline, unused)) void wait_for_byte(void)
{
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_START);
}

static void send_request(struct xobj *session)
{
	struct msg m;
	int result;

	if (XK_ONE_WAY) {
		wait_for_byte();
		return;
	}
	msg_share_here(&m, &tcptest.payload);
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_START);
	result = xPush(session, &m);
	msg_end(&m);
	if (PREDICT_FALSE(result < 0))
		console_fail("tcptest", "push failed");
}

static void close_connection(void)
{
	tcptest.closed = 1;
	xClose(tcptest.session);
}

/* A marker alone in an `if` would sit on the first instruction behind it, taken or not: the
 * function gives it an address of its own. */
static __attribute__((noinline)) void measure_starts(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_START);
}

static __attribute__((noinline)) void measure_ends(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_END);
}

/* Full segments, one after the other: xPush waits for room in the send queue. */
static void stream(void)
{
	while (tcptest.exchanges < tcptest.total) {
		MARK(MARK_INVOCATION, WINDOW_PATH);
		send_request(tcptest.session);
		MARK(MARK_EVENT, EVENT_ROUND_TRIP_END);
		tcptest.exchanges++;
		if (tcptest.exchanges == tcptest.warmup)
			measure_starts();
		if (tcptest.exchanges == tcptest.measured)
			measure_ends();
	}
	close_connection();
}

static int clientStreamDemux(struct xobj *self, struct xobj *session, struct msg *m)
{
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_END);
	MARK(MARK_INVOCATION, WINDOW_PATH);
	tcptest_check(m);
	tcptest_restore_space(session);
	tcptest.exchanges++;
	if (PREDICT_FALSE(tcptest.exchanges == tcptest.warmup))
		measure_starts();
	if (PREDICT_FALSE(tcptest.exchanges == tcptest.measured))
		measure_ends();
	if (PREDICT_FALSE(tcptest.exchanges == tcptest.total)) {
		close_connection();
		return XK_OK;
	}
	send_request(XK_CONNECTIONS > 1 ? tcptest_next() : session);
	return XK_OK;
}

void tcptest_client_start(void *arg)
{
	static const uint16_t port = TCPTEST_PORT, own_port = TCPTEST_CLIENT_PORT;
	const uint32_t peer = (uint32_t)plat_boot()->peer_ip;
	struct part parts[2];

	parts_init(parts);
	part_push(&parts[0], &peer, sizeof peer);
	part_push(&parts[0], &port, sizeof port);
	part_push(&parts[1], &own_port, sizeof own_port);
	tcptest.session = xOpen(tcptest.self, tcptest.self, tcptest.self->down[0], parts);
	if (!tcptest.session)
		console_fail("tcptest", "cannot open a connection to the server");
	if (XK_CONNECTIONS > 1)
		tcptest_open_others();
	if (tcptest.warmup == 0)
		measure_starts();
	if (XK_STREAM)
		stream();
	else if (tcptest.total == 0)
		close_connection();
	else
		send_request(tcptest.session);
}

const struct xobj_ops tcptest_client_ops = {
	XOBJ_DEFAULTS,
	.demux = clientStreamDemux,
	.close_done = tcptest_close_done,
};
