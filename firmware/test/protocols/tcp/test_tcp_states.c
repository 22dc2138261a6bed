/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: every kind of segment in every synchronised state, as RFC 793 3.9 has it. Each cell of the
 * table runs in a process of its own. */
#include <sys/wait.h>
#include <unistd.h>

#include "test/host/tcp_case.h"

static void reach_fin_wait_1(void)
{
	connected();
	user_control(TCP_SHUTDOWN, 0);
	expect(F | A, 1, 1, 0);
}

static void reach_fin_wait_2(void)
{
	reach_fin_wait_1();
	peer_tcp(A, 1, 2, NULL, 0);
}

static void reach_close_wait(void)
{
	connected();
	peer_acked(F | A, 1, 1, NULL, 0, 2);
}

static void reach_closing(void)
{
	reach_fin_wait_1();
	peer_tcp(F | A, 1, 1, NULL, 0);
	expect(A, 2, 2, 0);
}

static void reach_last_ack(void)
{
	reach_close_wait();
	user_control(TCP_SHUTDOWN, 0);
	expect(F | A, 1, 2, 0);
}

static void reach_time_wait(void)
{
	reach_fin_wait_2();
	peer_acked(F | A, 1, 2, NULL, 0, 2);
}

struct row {
	void (*reach)(void);
	/* p: the next byte from the peer; ack: acknowledges all but a FIN of ours; k: all. */
	uint32_t state, p, ack, k;
	/* For each event two characters: what is sent (- nothing, A ack, R reset, S SYN+ACK), and
	 * the state then: = the same, else its letter in `letters`. */
	const char *expected;
};

static const char letters[] = "C.sreW1gL2T"; /* by enum tcp_state; e established, W close wait */

enum { EVENTS = 13 };

/* Sends what comes; its name. */
static const char *happen(const struct row *r, int e)
{
	const struct event {
		const char *name;
		uint32_t flags, sequence, ack;
		size_t bytes;
	} events[EVENTS] = {
		{ "reset at the left edge", R, r->p, 0, 0 },
		{ "reset left of the window", R, r->p - 1, 0, 0 },
		{ "reset at the right edge", R, r->p + KERNEL_WINDOW - 2, 0, 0 },
		{ "reset right of the window", R, r->p + KERNEL_WINDOW, 0, 0 },
		{ "SYN in the window", S, r->p + 1, 0, 0 },
		{ "SYN left of the window", S, r->p - 1, 0, 0 },
		{ "ACK of what was not sent", A, r->p, r->k + 1, 0 },
		{ "data without ACK", P, r->p, 0, 1 },
		{ "old data", A, r->p - 1, r->ack, 1 },
		{ "FIN", F | A, r->p, r->ack, 0 },
		{ "old FIN", F | A, r->p - 1, r->ack, 0 },
		{ "data", P | A, r->p, r->ack, 1 },
		{ "ACK of all", A, r->p, r->k, 0 },
	};

	peer_tcp(events[e].flags, events[e].sequence, events[e].ack, "x", events[e].bytes);
	return events[e].name;
}

static char sent(void)
{
	struct host_frame f;

	if (!host_take(&f))
		return '-';
	switch (f.data[47] & (R | S | A)) {
	case S | A:
		return 'S';
	case A:
		return 'A';
	default:
		return f.data[47] & R ? 'R' : '?';
	}
}

static void cell(const struct row *r, int e)
{
	const char *wanted = r->expected + 3 * e;
	char reply, then = '.';

	r->reach();
	struct xobj *before = user.session;
	const char *event = happen(r, e);
	reply = sent();
	if (user.session && user.session == before) {
		uint32_t state = user_state();

		then = state == r->state ? '=' : letters[state];
	} else if (user.session) { /* accepted by this very segment */
		then = letters[user_state()];
	} else if (r->state == TCP_SYN_RECEIVED) { /* the user hasn't heard of it */
		peer_tcp(A, 1, 1, NULL, 0);
		then = user.session ? '=' : 'C';
	}
	if (reply == wanted[0] && (then == wanted[1] || wanted[1] == '.'))
		exit(0);
	fprintf(stderr, "%s: expected %.2s, got %c%c\n", event, wanted, reply, then);
	exit(1);
}

static void in_state(struct row r)
{
	for (int e = 0; e < EVENTS; e++) {
		int status;
		pid_t child = fork();

		if (!child)
			cell(&r, e);
		CHECK(child > 0 && waitpid(child, &status, 0) == child);
		CHECK_EQUAL(status, 0);
	}
}

#define CASE_IN(name, ...) CASE_IS(name, in_state((struct row){ __VA_ARGS__ }))

CASE_IN(tcp_any_segment_in_syn_received, half_open, TCP_SYN_RECEIVED, 1, 1, 1,
	"-C -= -C -= RC S= R= -= Ae AW Ae -e -e")
CASE_IN(tcp_any_segment_in_established, connected, TCP_ESTABLISHED, 1, 1, 1,
	"-C -= -C -= RC A= A= -= A= AW A= -= -=")
CASE_IN(tcp_any_segment_in_fin_wait_1, reach_fin_wait_1, TCP_FIN_WAIT_1, 1, 1, 2,
	"-C -= -C -= RC A= A= -= A= Ag A= -= -2")
CASE_IN(tcp_any_segment_in_fin_wait_2, reach_fin_wait_2, TCP_FIN_WAIT_2, 1, 2, 2,
	"-C -= -C -= RC A= A= -= A= AT A= -= -=")
CASE_IN(tcp_any_segment_in_close_wait, reach_close_wait, TCP_CLOSE_WAIT, 2, 1, 1,
	"-C -= -C -= RC A= A= -= A= -= A= -= -=")
CASE_IN(tcp_any_segment_in_closing, reach_closing, TCP_CLOSING, 2, 1, 2,
	"-C -= -C -= RC A= A= -= A= -= A= -= -T")
CASE_IN(tcp_any_segment_in_last_ack, reach_last_ack, TCP_LAST_ACK, 2, 1, 2,
	"-C -= -C -= RC A= A= -= A= -= A= -= -C")
CASE_IN(tcp_any_segment_in_time_wait, reach_time_wait, TCP_TIME_WAIT, 2, 2, 2,
	"-C -= -C -= S. A= A= -= A= -= A= -= -=")
