/* SPDX-License-Identifier: BSD-2-Clause */
/* The client: one thread that calls and calls. */
#include "apps/xrpctest/xrpctest_private.h"
#include "platform/marker.h"
#include "platform/platform.h"
#include "xkernel/console.h"

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

/* The reply has no bytes of its own. */
static int call_once(struct xobj *session)
{
	struct msg request, reply;
	int result;

	if (PREDICT_FALSE(msg_init_bytes(&request, XRPCTEST_BYTES)))
		return XK_NO_MEMORY;
	msg_init_empty(&reply);
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_START);
	result = xCall(session, &request, &reply);
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_END);
	MARK(MARK_INVOCATION, WINDOW_PATH);
	if (PREDICT_FALSE(result >= 0 && msg_bytes(&reply)))
		result = XK_ERROR;
	msg_destroy(&reply);
	msg_destroy(&request);
	return result;
}

/* With XK_FAST_USER: the same, with the request's leaf if nobody else has it any more. */
static int call_again(struct xobj *session, struct msg *request)
{
	struct msg reply;
	int result;

	if (PREDICT_FALSE(msg_again(request)))
		return XK_NO_MEMORY;
	msg_init_empty(&reply);
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_START);
	result = xCall(session, request, &reply);
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_END);
	MARK(MARK_INVOCATION, WINDOW_PATH);
	if (PREDICT_FALSE(result >= 0 && msg_bytes(&reply)))
		result = XK_ERROR;
	msg_destroy(&reply);
	return result;
}

static void call_in_a_loop(struct xobj *session)
{
	struct msg request = { 0 };
	const int again = XK_FAST_USER && !XK_STREAM;

	while (xrpctest.calls < xrpctest.total) {
		struct xobj *next = XK_CONNECTIONS > 1 ? xrpctest_next() : session;
		int result = again ? call_again(next, &request) : call_once(next);

		/* The last one is allowed to fail: the server may have gone before its reply. */
		if (PREDICT_FALSE(result < 0 && xrpctest.calls + 1 < xrpctest.total))
			console_fail("xrpctest", "call failed");
		xrpctest.calls++;
		if (PREDICT_FALSE(xrpctest.calls == xrpctest.warmup))
			measure_starts();
		if (PREDICT_FALSE(xrpctest.calls == xrpctest.measured))
			measure_ends();
	}
	if (XK_FAST_USER)
		msg_destroy(&request);
}

void xrpctest_client_start(void *arg)
{
	const uint32_t peer = (uint32_t)plat_boot()->peer_ip;
	struct part parts[2];

	parts_init(parts);
	part_push(&parts[0], &peer, sizeof peer);
	xrpctest.session = xOpen(xrpctest.self, xrpctest.self, xrpctest.self->down[0], parts);
	if (!xrpctest.session)
		console_fail("xrpctest", "cannot open channels to the server");
	if (XK_CONNECTIONS > 1)
		xrpctest_open_others();
	if (xrpctest.warmup == 0)
		measure_starts();
	call_in_a_loop(xrpctest.session);
	if (XK_CONNECTIONS > 1) {
		xrpctest_close_all();
		event_schedule(&xrpctest.finish, xrpctest_finish, NULL, XRPCTEST_CLOSE_US);
		return;
	}
	xrpctest_finish(NULL);
}
