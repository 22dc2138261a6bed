/* SPDX-License-Identifier: BSD-2-Clause */
/* The two switches of BSD Net/2. test_host.py runs all of TCP's cases with them on; these say what
 * must be different then, and what must not. */
#include "protocols/tcp/tcp_net2.h"
#include "test/host/tcp_case.h"

static char bytes[4096];

/* Four segments on their way, the first of them lost; three wait. Their first byte. */
static uint32_t lose_one_of_four(void)
{
	uint32_t next = four_under_way(bytes, 3 * SEGMENT);

	for (int i = 0; i < 3; i++)
		peer_tcp(A, 1, 1537, NULL, 0);
	expect(A, 1537, 1, SEGMENT); /* again, in either */
	return next;
}

/* Tahoe begins again with one segment; Net/2 sends one for the third and each further duplicate,
 * and goes on with half the window. */
CASE(tcp_recovery)
{
	uint32_t next = lose_one_of_four();
	int burst = 0;
	struct host_frame f;

	if (XK_TCP_NET2) {
		expect(A, next, 1, SEGMENT);
		expect_quiet(10);
		peer_tcp(A, 1, 1537, NULL, 0);
		expect(A, next + SEGMENT, 1, SEGMENT);
		peer_tcp(A, 1, 1537, NULL, 0);
		expect(P | A, next + 2 * SEGMENT, 1, SEGMENT);
	} else {
		peer_tcp(A, 1, 1537, NULL, 0);
		expect_quiet(10);
		peer_tcp(A, 1, next, NULL, 0);
		expect(A, next, 1, SEGMENT);
		expect(A, next + SEGMENT, 1, SEGMENT);
		peer_tcp(A, 1, next + 2 * SEGMENT, NULL, 0);
		expect(P | A, next + 2 * SEGMENT, 1, SEGMENT);
	}
	peer_tcp(A, 1, next + 3 * SEGMENT, NULL, 0);
	expect_quiet(10);
	CHECK_EQUAL(tcp_counts.fast_retransmits, 1);
	CHECK_EQUAL(tcp_counts.retransmit_timeouts, 0);
	user_push(bytes, sizeof bytes);
	while (host_take(&f))
		burst++;
	CHECK_EQUAL(burst, 3);
}

/* Predicted: data alone, an ACK alone. Not: both at once, another window. */
CASE(tcp_prediction, connected())
{
	for (uint32_t i = 0; i < 4; i++)
		peer_tcp(P | A, 1 + 100 * i, 1, bytes, 100);
	CHECK_EQUAL(user.bytes, 400);
	expect(A, 1, 201, 0); /* every second one, as always */
	expect(A, 1, 401, 0);
	peer_window = 256; /* smaller than what congestion allows */
	peer_tcp(A, 401, 1, NULL, 0);
	if (XK_TCP_HDRPRED) {
		CHECK_EQUAL(tcp_predictions.data, 4);
		CHECK_EQUAL(tcp_predictions.acks, 0);
	}
	for (uint32_t i = 0; i < 3; i++) {
		user_sends(bytes, 10, P | A, 1 + 10 * i, 401);
		peer_tcp(A, 401, 11 + 10 * i, NULL, 0);
	}
	user_sends(bytes, 10, P | A, 31, 401);
	peer_tcp(P | A, 401, 41, bytes, 10); /* both */
	CHECK_EQUAL(user.bytes, 410);
	expect(A, 41, 411, 0); /* 200 ms later */
	if (XK_TCP_HDRPRED) {
		CHECK_EQUAL(tcp_predictions.data, 4);
		/* The first made the smaller window known: it was not predicted. */
		CHECK_EQUAL(tcp_predictions.acks, 3);
		CHECK(tcp_predictions.missed > 1);
	}
	/* Both sides still know where they are. */
	peer_window = PEER_WINDOW;
	peer_acked(F | A, 411, 41, NULL, 0, 412);
	user_closes(41, 412);
	peer_tcp(A, 412, 42, NULL, 0);
	CHECK_EQUAL(user.done, 1);
}

enum { SMALL = 256 }; /* a window that congestion does not limit: ACKs are predicted */

/* Segments that look almost as predicted and are not; and the work of a predicted ACK. */
CASE(tcp_almost_predicted)
{
	peer_window = SMALL;
	connected();
	user_push(bytes, 2 * SMALL);
	expect(A, 1, 1, SMALL);
	peer_tcp(A, 1, 1 + SMALL, NULL, 0); /* room again: the rest goes at once */
	expect(P | A, 1 + SMALL, 1, SMALL);
	peer_tcp(A, 1, 5000, NULL, 0); /* of what was never sent */
	expect(A, 1 + 2 * SMALL, 1, 0);
	CHECK_EQUAL(tcp_counts.acks_of_unsent, 1);
	for (int i = 0; i < 3; i++) /* nothing new: three of them repeat a segment */
		peer_tcp(A, 1, 1 + SMALL, NULL, 0);
	expect(P | A, 1 + SMALL, 1, SMALL);
	CHECK_EQUAL(tcp_counts.fast_retransmits, 1);
	peer_window = 2 * SMALL; /* new data and a new window at once */
	peer_tcp(A, 1, 1 + 2 * SMALL, NULL, 0);
	user_push(bytes, 2 * SMALL);
	expect(P | A, 1 + 2 * SMALL, 1, 2 * SMALL);
	peer_tcp(A, 1, 1 + 4 * SMALL, NULL, 0);
	/* Which segment the window is from moves on with the data. */
	peer_tcp(P | A, 1, 1 + 4 * SMALL, bytes, 100);
	peer_tcp(P | A, 101, 1 + 4 * SMALL, bytes, 100);
	const struct tcp *t = user.session->state;
	CHECK_EQUAL(t->window_sequence, peer_initial + 101);
	CHECK_EQUAL(t->window_ack, kernel_initial + 1 + 4 * SMALL);
	CHECK_EQUAL(user.bytes, 200);
}

/* Or a window update looks older than the one it replaces, after 2 GB of nothing but ACKs. */
CASE(tcp_predicted_acks_move_the_window_on)
{
	const struct tcp *t;

	peer_window = SMALL;
	connected();
	for (uint32_t i = 0; i < 3; i++) {
		user_sends(bytes, 10, P | A, 1 + 10 * i, 1);
		peer_tcp(A, 1, 11 + 10 * i, NULL, 0);
		t = user.session->state;
		CHECK_EQUAL(t->window_ack, kernel_initial + 11 + 10 * i);
	}
	if (XK_TCP_HDRPRED)
		CHECK_EQUAL(tcp_predictions.acks, 3);
}
